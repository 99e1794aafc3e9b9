import type { ApprovalView } from '../../protocol/wallet-messages.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { formatMoney } from '../ui/format.ts';
import { approvalTexts as t } from '../ui/texts-approval.ts';

/** Why a payment cannot be made, and what to do about it. */
export function Problem({ view }: { view: ApprovalView }) {
  if (view.problem?.code !== 'insufficient-funds') return <ErrorNote error={view.problem} kind="warning" />;
  const need = formatMoney(BigInt(view.totalSatoshis ?? view.satoshis), view.rate);
  return (
    <ErrorNote error={view.problem} kind="warning">
      <p class="small">{t.need(need, formatMoney(BigInt(view.balanceSatoshis), view.rate))}</p>
    </ErrorNote>
  );
}
