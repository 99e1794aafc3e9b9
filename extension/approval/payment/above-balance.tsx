import { satoshisToBsv } from '../../../protocol/money/money.ts';
import type { AllowancePromptView, AllowanceTerms, ApprovalView } from '../../../protocol/messages/wallet-messages.ts';
import { isLess } from '../../ui/sites/allowance-terms.ts';
import { formatMoney } from '../../ui/amounts/format.ts';
import { WarningIcon } from '../../ui/controls/icons.tsx';
import { allowanceTexts as t } from '../../ui/texts/texts.ts';

/**
 * Warns if an allowance exceeds the balance, because sites can suggest any amount. The first of `allowanceRates` is in
 * the user's own currency.
 */
export function AboveBalance({
  terms,
  view,
}: {
  terms: AllowanceTerms;
  view: Pick<ApprovalView | AllowancePromptView, 'allowanceRates' | 'balanceSatoshis'>;
}) {
  const balance = BigInt(view.balanceSatoshis);
  if (!isLess({ amount: satoshisToBsv(balance), currency: 'BSV' }, terms, view.allowanceRates)) return null;
  return (
    <p class="warn" data-part="above-balance">
      <WarningIcon size={16} />
      {t.aboveBalance({ balance: formatMoney(balance, view.allowanceRates[0] ?? null) })}
    </p>
  );
}
