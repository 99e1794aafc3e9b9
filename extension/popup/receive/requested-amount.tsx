import { useId, useState } from 'preact/hooks';
import { satoshisToBsv, toSatoshis } from '../../../protocol/money/money.ts';
import { typedAmount } from '../../../protocol/money/typed-amount.ts';
import type { Rate } from '../../../protocol/messages/wallet-messages.ts';
import { AmountNote } from '../../ui/amounts/amount-note.tsx';
import { formatAmount, formatSatoshis } from '../../ui/amounts/format.ts';
import { texts } from '../../ui/texts/texts.ts';

/** The requested amount: a decimal string in BSV for the link, and formatted text. */
export interface Requested {
  bsv: string;
  words: string;
}

/** Converts the amount at the current rate. Returns null if the amount is invalid or the rate is unknown. */
function requestedOf(typed: string, currency: string, rate: Rate | null): Requested | null {
  const amount = typedAmount(typed);
  const price = currency === 'BSV' ? '1' : rate?.price;
  if (amount === null || price === undefined) return null;
  try {
    const satoshis = toSatoshis(amount, price);
    return { bsv: satoshisToBsv(satoshis), words: `${formatAmount(amount, currency)} (${formatSatoshis(satoshis)})` };
  } catch {
    return null; // The amount is below one satoshi or exceeds the supply.
  }
}

/** Shows the field for a requested amount, in the user's currency or in BSV. Collapsed until opened. */
export function RequestedAmount({
  rate,
  onAmount,
}: {
  rate: Rate | null;
  onAmount: (amount: Requested | null) => void;
}) {
  const id = useId();
  const currencies = [...(rate === null ? [] : [rate.currency]), 'BSV'];
  const [typed, setTyped] = useState('');
  const [currency, setCurrency] = useState(currencies[0] ?? 'BSV');
  const change = (text: string, code: string) => {
    setTyped(text);
    setCurrency(code);
    onAmount(requestedOf(text, code, rate));
  };
  const isWrong = typed.trim() !== '' && requestedOf(typed, currency, rate) === null;
  return (
    <details class="well request-amount">
      <summary class="label">{texts.popup.requestAmount}</summary>
      <div class="allowance-line">
        <div class="field grow">
          <label class="label" for={`${id}-amount`}>
            {texts.popup.requestHowMuch}
          </label>
          <input
            type="text"
            id={`${id}-amount`}
            class="input"
            data-part="request-amount"
            inputMode="decimal"
            autocomplete="off"
            maxLength={30}
            value={typed}
            aria-invalid={isWrong}
            aria-describedby={`${id}-note`}
            onInput={(event) => change(event.currentTarget.value, currency)}
          />
        </div>
        <div class="field send-currency">
          <label class="label" for={`${id}-currency`}>
            {texts.popup.requestCurrency}
          </label>
          <select
            id={`${id}-currency`}
            class="select"
            value={currency}
            onChange={(event) => change(typed, event.currentTarget.value)}
          >
            {currencies.map((code) => (
              <option key={code} value={code} selected={code === currency}>
                {code}
              </option>
            ))}
          </select>
        </div>
      </div>
      <AmountNote
        id={`${id}-note`}
        typed={typed}
        currency={currency}
        problem={undefined}
        onChoose={(text) => change(text, currency)}
      />
    </details>
  );
}
