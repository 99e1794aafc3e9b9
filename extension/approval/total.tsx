/** What it costs: the total large in the user's currency, exact satoshis below, then what it is made of. */
import { SATOSHIS_PER_BSV } from '../../protocol/money.ts';
import type { ApprovalView } from '../../protocol/wallet-messages.ts';
import { BigAmount, InlineAmount } from '../ui/amount.tsx';
import { formatAge, formatAmount, formatMoney } from '../ui/format.ts';
import { approvalTexts as t } from '../ui/texts-approval.ts';

/** See above. */
export function Total({ view }: { view: ApprovalView }) {
  const { rate } = view;
  const total = BigInt(view.totalSatoshis ?? view.satoshis);
  return (
    <section aria-labelledby="total">
      <h2 class="part" id="total">{t.total}{view.totalSatoshis === null && <span class="part-note">, {t.feeMissing}</span>}</h2>
      <BigAmount satoshis={total} rate={rate} />
      <dl class="facts approval-facts">
        {view.currency !== rate?.currency && <><dt>{t.asked}</dt><dd class="amount">{formatAmount(view.amount, view.currency)}</dd></>}
        <dt>{t.fee}</dt>
        <dd data-part="fee">{view.feeSatoshis === null ? t.feeUnknown : <InlineAmount satoshis={BigInt(view.feeSatoshis)} rate={rate} />}</dd>
        <dt>{t.balance}</dt>
        <dd class="amount">{formatMoney(BigInt(view.balanceSatoshis), rate)}</dd>
      </dl>
      <p class="small muted">{rate === null ? t.noRate : t.rate(formatMoney(SATOSHIS_PER_BSV, rate), formatAge(rate.time))}</p>
    </section>
  );
}
