import type { AllowancePromptView, AllowanceTerms, Rate } from '../../../protocol/messages/wallet-messages.ts';
import { isLess } from '../../ui/sites/allowance-terms.ts';
import { formatAmount } from '../../ui/amounts/format.ts';
import { WarningIcon } from '../../ui/controls/icons.tsx';
import { allowanceTexts as t } from '../../ui/texts/texts.ts';

/** Warns if an allowance is below the page's minimum. The user can grant the allowance anyway. */
export function BelowMinimum({
  terms,
  minimum,
  rates,
}: {
  terms: AllowanceTerms;
  minimum: AllowancePromptView['minimum'];
  rates: readonly Rate[];
}) {
  if (minimum === null || !isLess(terms, minimum, rates)) return null;
  return (
    <p class="warn" data-part="below-minimum">
      <WarningIcon size={16} />
      {t.belowMinimum({ minimum: formatAmount(minimum.amount, minimum.currency) })}
    </p>
  );
}
