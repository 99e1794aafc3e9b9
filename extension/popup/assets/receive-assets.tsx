import { Address } from '../../ui/people/address.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Qr } from '../../ui/controls/qr.tsx';
import { assetTexts as t, texts } from '../../ui/texts/texts.ts';
import { PageHead } from '../page-head.tsx';
import '../receive/receive-page.css';

/** Shows an ordinary address for receiving tokens and ordinals. */
export function ReceiveAssets({ address, onBack }: { address: string; onBack: () => void }) {
  return (
    <section class="popup-page receive arrive">
      <PageHead title={t.receive} onBack={onBack} />
      <Qr text={address} label={`${texts.popup.addressLabel}: ${address}`} />
      <p class="anywhere centred" data-part="address">
        <Address text={address} />
      </p>
      <CopyButton primary text={address} label={texts.popup.copyAddress} />
      <p class="small muted centred">{t.receiveText}</p>
    </section>
  );
}
