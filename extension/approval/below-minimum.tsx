import type { AllowancePromptView, AllowanceTerms, Rate } from '../../protocol/wallet-messages.ts';
import { isLess } from '../ui/allowance-terms.ts';
import { formatAmount } from '../ui/format.ts';
import { WarningIcon } from '../ui/icons.tsx';
import { allowanceTexts as t } from '../ui/texts.ts';

/** Warns that an allowance is smaller than the page can use. The user may still grant it. */
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
