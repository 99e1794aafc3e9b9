import type { AllowanceView } from '../../../protocol/messages/wallet-messages.ts';
import { formatAmount, formatDay, formatLeft, formatMoney } from '../amounts/format.ts';
import { termsInWords } from './allowance-terms.ts';
import { allowanceTexts as t } from '../texts/texts.ts';

/** Shows an allowance's remaining amount, and when its next period starts. */
export function AllowanceLeft({ allowance }: { allowance: AllowanceView }) {
  const { left, limit, currency, period, perPayment, resetsAt, ceiling } = allowance;
  return (
    <dl class="facts allowance-facts">
      <dt>{t.left}</dt>
      <dd class="amount" data-part="allowance-left" title={formatAmount(left, currency)}>
        {t.leftOf({ left: formatLeft(left, currency), limit: termsInWords({ amount: limit, currency, period }) })}
      </dd>
      <dt class="visually-hidden">{t.period}</dt>
      <dd class="facts-note small muted">{t.resetsOn({ time: formatDay(resetsAt) })}</dd>
      {ceiling && (
        <>
          <dt>{t.ceiling}</dt>
          <dd class="amount" data-part="ceiling">
            {t.leftOf({
              left: formatMoney(BigInt(ceiling.left), null),
              limit: formatMoney(BigInt(ceiling.satoshis), null),
            })}
          </dd>
        </>
      )}
      {perPayment !== null && (
        <>
          <dt>{t.atOnce}</dt>
          <dd class="amount">{formatAmount(perPayment, currency)}</dd>
        </>
      )}
    </dl>
  );
}
