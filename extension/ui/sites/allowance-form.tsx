import { useId, useState } from 'preact/hooks';
import type { AllowanceTerms, Rate } from '../../../protocol/messages/wallet-messages.ts';
import { AmountNote } from '../amounts/amount-note.tsx';
import { readDraft, type AllowanceDraft } from './allowance-terms.ts';
import { allowanceTexts as t } from '../texts/texts.ts';

const PERIODS = ['day', 'week', 'month'] as const;

interface AllowanceFormProps {
  draft: AllowanceDraft;
  onDraft: (draft: AllowanceDraft) => void;
  /** The available currencies and their rates. If there is only one currency, it can't be changed. */
  rates: readonly Rate[];
}

/** Shows the fields of an allowance. Errors appear when a field loses focus. */
export function AllowanceForm({ draft, onDraft, rates }: AllowanceFormProps) {
  const [left, setLeft] = useState({ amount: false, perPayment: false });
  const id = useId();
  const { problems } = readDraft(draft, rates);
  const shown = {
    amount: left.amount ? problems?.amount : undefined,
    perPayment: left.perPayment ? problems?.perPayment : undefined,
  };
  const field = (name: 'amount' | 'perPayment') => ({
    id: `${id}-${name}`,
    class: 'input',
    type: 'text' as const,
    inputMode: 'decimal' as const,
    autocomplete: 'off',
    maxLength: 30,
    value: draft[name],
    'aria-invalid': shown[name] !== undefined,
    'aria-describedby': `${id}-${name}-note`,
    onInput: (event: { currentTarget: HTMLInputElement }) => onDraft({ ...draft, [name]: event.currentTarget.value }),
    onBlur: () => setLeft((now) => ({ ...now, [name]: true })),
  });
  return (
    <div class="allowance-form">
      <div class="allowance-line">
        <div class="field grow">
          <label class="label" for={`${id}-amount`}>
            {t.amount}
            {rates.length <= 1 && ` (${draft.currency})`}
          </label>
          <input {...field('amount')} data-part="allowance-amount" />
        </div>
        {rates.length > 1 && (
          <div class="field allowance-choice">
            <label class="label" for={`${id}-currency`}>
              {t.currency}
            </label>
            <select
              id={`${id}-currency`}
              class="select"
              value={draft.currency}
              onChange={(event) => onDraft({ ...draft, currency: event.currentTarget.value })}
            >
              {rates.map(({ currency: code }) => (
                <option key={code} value={code} selected={code === draft.currency}>
                  {code}
                </option>
              ))}
            </select>
          </div>
        )}
        <div class="field allowance-choice">
          <label class="label" for={`${id}-period`}>
            {t.period}
          </label>
          <select
            id={`${id}-period`}
            class="select"
            value={draft.period}
            onChange={(event) => onDraft({ ...draft, period: event.currentTarget.value as AllowanceTerms['period'] })}
          >
            {PERIODS.map((period) => (
              <option key={period} value={period} selected={period === draft.period}>
                {t.periodNames[period]}
              </option>
            ))}
          </select>
        </div>
      </div>
      <AmountNote
        id={`${id}-amount-note`}
        typed={draft.amount}
        currency={draft.currency}
        problem={shown.amount}
        onChoose={(amount) => onDraft({ ...draft, amount })}
      />
      <div class="field">
        <label class="label" for={`${id}-perPayment`}>
          {t.perPayment}
        </label>
        <input {...field('perPayment')} />
        <p class="hint" id={`${id}-perPayment-note`}>
          {t.perPaymentHint}
        </p>
        <AmountNote
          id={`${id}-perPayment-problem`}
          typed={draft.perPayment}
          currency={draft.currency}
          problem={shown.perPayment}
          onChoose={(perPayment) => onDraft({ ...draft, perPayment })}
        />
      </div>
    </div>
  );
}
