import { useId, useState } from 'preact/hooks';
import { AmountNote } from '../../ui/amounts/amount-note.tsx';
import { CrossIcon } from '../../ui/controls/icons.tsx';
import { sendTexts as t } from '../../ui/texts/texts.ts';
import type { DraftRow, RowProblems } from './draft.ts';
import { RecipientField, type RecipientFieldProps } from './recipient-field.tsx';

interface RecipientRowProps extends Omit<RecipientFieldProps, 'to' | 'problem'> {
  row: DraftRow;
  /** The row's position, counted from 1, or null if there is only one row. */
  number: number | null;
  currency: string;
  currencies: readonly string[] | null;
  problems: RowProblems;
  /** The recipient's amount if it is the remaining balance: a decimal string, and formatted text. */
  gets: { amount: string; words: string } | null;
  onAmount: (text: string) => void;
  onEverything: (everything: boolean) => void;
  onCurrency: (currency: string) => void;
  onRemove: () => void;
}

/** Shows a recipient's name and amount, and the problems with them after the field has lost focus. */
export function RecipientRow({ row, problems, ...props }: RecipientRowProps) {
  const { number, currency, currencies, gets } = props;
  const id = useId();
  const [left, setLeft] = useState(false);
  const wrong = props.strict || left ? problems.amount : undefined;
  return (
    <fieldset class="send-row" data-part="recipient">
      <legend class={number === null ? 'visually-hidden' : 'row send-row-head'}>
        <span class="small muted">{t.recipient({ n: number ?? 1 })}</span>
      </legend>
      {number !== null && (
        <button
          type="button"
          class="icon-button send-row-remove"
          aria-label={t.removeLabel({ n: number })}
          title={t.remove}
          onClick={props.onRemove}
        >
          <CrossIcon size={16} />
        </button>
      )}
      <RecipientField {...props} to={row.to} problem={problems.to} />
      <div class="allowance-line">
        <div class="field grow">
          <label class="label" for={`${id}-amount`}>
            {currencies === null ? t.amountIn({ currency }) : t.amount}
          </label>
          <div class="input-group">
            <input
              type="text"
              autocomplete="off"
              autocapitalize="off"
              autoCorrect="off"
              spellcheck={false}
              id={`${id}-amount`}
              class="input send-amount"
              inputMode="decimal"
              maxLength={30}
              aria-invalid={wrong !== undefined}
              aria-describedby={`${id}-amount-note`}
              value={row.everything ? (gets?.amount ?? '') : row.amount}
              placeholder={row.everything ? t.allThatIsLeft : '0'}
              onInput={(event) => props.onAmount(event.currentTarget.value)}
              onBlur={(event) => {
                if (event.currentTarget.value !== '') setLeft(true);
              }}
            />
            <button
              type="button"
              class="button button-small send-max"
              aria-pressed={row.everything}
              aria-label={`${t.everything}: ${t.everythingLabel}`}
              title={t.everythingLabel}
              onClick={() => props.onEverything(!row.everything)}
            >
              {t.everything}
            </button>
          </div>
        </div>
        {currencies !== null && currencies.length > 1 && (
          <div class="field send-currency">
            <label class="label" for={`${id}-currency`}>
              {t.currency}
            </label>
            <select
              id={`${id}-currency`}
              class="select"
              value={currency}
              onChange={(event) => props.onCurrency(event.currentTarget.value)}
            >
              {currencies.map((code) => (
                <option key={code} value={code} selected={code === currency}>
                  {code}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      <div class="send-note" id={`${id}-amount-note`}>
        {gets !== null && wrong === undefined && (
          <p class="hint amount" data-part="gets">
            {gets.words}
          </p>
        )}
        <AmountNote
          id={`${id}-amount-problem`}
          typed={row.everything ? '' : row.amount}
          currency={currency}
          problem={wrong}
          onChoose={props.onAmount}
        />
      </div>
    </fieldset>
  );
}
