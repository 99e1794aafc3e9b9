import type { Settings } from '../../../protocol/messages/wallet-messages.ts';
import { GetCoins } from '../../ui/amounts/get-coins.tsx';
import { texts } from '../../ui/texts/texts.ts';

/** Shows where to send the coins that a payment still needs. On devnet, offers the faucet. */
export function ShortOfMoney({
  network,
  address,
  satoshis,
}: {
  network: Settings['network'];
  address: string;
  satoshis: bigint;
}) {
  return (
    <section class="stack stack-tight" aria-labelledby="get-coins" data-part="get-coins">
      <h2 class="part" id="get-coins">
        {texts.popup.emptyTitle}
      </h2>
      <GetCoins network={network} address={address} satoshis={satoshis} />
    </section>
  );
}
