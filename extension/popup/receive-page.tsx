/** The address that others pay to. */
import type { Overview } from '../../protocol/wallet-messages.ts';
import { Address } from '../ui/address.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { FaucetButton } from '../ui/faucet-button.tsx';
import { Qr } from '../ui/qr.tsx';
import { texts } from '../ui/texts.ts';
import { PageHead } from './page-head.tsx';

/** See above. */
export function ReceivePage({ overview, onBack }: { overview: Overview; onBack: () => void }) {
  const { receiveAddress, network } = overview;
  return (
    <section class="popup-page receive arrive">
      <PageHead title={texts.popup.receiveTitle} onBack={onBack} />
      <p class="muted">{texts.popup.receiveText}</p>
      <Qr text={receiveAddress} label={`${texts.popup.addressLabel}: ${receiveAddress}`} />
      <p class="anywhere centred" data-part="address"><Address text={receiveAddress} /></p>
      <CopyButton primary text={receiveAddress} label={texts.popup.copyAddress} />
      {network === 'devnet' && <FaucetButton />}
    </section>
  );
}
