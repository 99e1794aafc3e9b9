import type { Settings } from '../../../protocol/messages/wallet-messages.ts';
import { Address } from '../people/address.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { FaucetButton } from './faucet-button.tsx';
import { Qr } from '../controls/qr.tsx';
import { texts } from '../texts/texts.ts';

/** Shows an address for receiving coins, with a QR code or, on devnet, the faucet button. */
export function GetCoins({
  network,
  address,
  satoshis,
}: {
  network: Settings['network'];
  address: string;
  satoshis: bigint;
}) {
  return (
    <>
      <p class="muted">{texts.getCoins[network]}</p>
      {network !== 'devnet' && <Qr text={address} label={`${texts.popup.addressLabel}: ${address}`} />}
      <div class="address-line">
        <p class="anywhere grow">
          <Address text={address} />
        </p>
        <CopyButton text={address} label={texts.popup.copyAddress} short />
      </div>
      {network === 'devnet' && <FaucetButton satoshis={satoshis} />}
    </>
  );
}
