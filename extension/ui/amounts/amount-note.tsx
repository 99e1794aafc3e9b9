import { amountReadings, fieldText, type DigitLimits } from '../../../protocol/money/typed-amount.ts';
import { formatAmount } from './format.ts';
import { texts } from '../texts/texts.ts';

/** Shows the problem with an amount, or a choice between the two meanings of input such as `1,000`. */
export function AmountNote({
  id,
  typed,
  currency,
  limits,
  problem,
  onChoose,
}: {
  id?: string;
  typed: string;
  /** The amount's unit: a currency code, or a token's symbol. */
  currency: string;
  limits?: DigitLimits;
  problem: string | undefined;
  /** Receives the field's new text, which is unambiguous. */
  onChoose: (text: string) => void;
}) {
  const readings = amountReadings(typed, limits);
  if (readings.length < 2)
    return (
      <p class="field-error" role="alert" id={id}>
        {problem}
      </p>
    );
  return (
    <div
      class="cluster amount-question"
      role="group"
      aria-labelledby={`${id}-question`}
      id={id}
      data-part="amount-question"
    >
      <span class="small" role="status" id={`${id}-question`}>
        {texts.whichAmount}
      </span>
      {readings.map((reading) => (
        <button
          key={reading}
          type="button"
          class="button button-small"
          onClick={() => onChoose(fieldText(reading, limits))}
        >
          {formatAmount(reading, currency)}
        </button>
      ))}
    </div>
  );
}
