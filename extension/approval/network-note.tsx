/** Says so where money is play money. */
import type { Network } from '../../protocol/address.ts';
import { approvalTexts as t } from '../ui/texts-approval.ts';
import { texts } from '../ui/texts.ts';

/** See above. */
export function NetworkNote({ network }: { network: Network }) {
  if (network === 'mainnet') return null;
  return (
    <p class="approval-network">
      <span class="badge badge-warning">{texts.networks[network]}</span>{' '}
      <span class="small muted">{t.testNetwork}</span>
    </p>
  );
}
