import type { Network } from '../../../protocol/bitcoin/address.ts';
import { approvalTexts as t, texts } from '../../ui/texts/texts.ts';

/** On a test network, shows a note that the coins are worthless. */
export function NetworkNote({ network }: { network: Network }) {
  if (network === 'mainnet') return null;
  return (
    <p class="approval-network">
      <span class="badge badge-warning">{texts.networks[network]}</span>{' '}
      <span class="small muted">{t.testNetwork}</span>
    </p>
  );
}
