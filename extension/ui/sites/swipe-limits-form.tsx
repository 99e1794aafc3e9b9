import { useId, useState } from 'preact/hooks';
import type { AllowanceView, Rate } from '../../../protocol/messages/wallet-messages.ts';
import { AmountNote } from '../amounts/amount-note.tsx';
import { ceilingInWords } from './allowance-terms.ts';
import { call } from '../window/call.ts';
import { ErrorNote } from '../controls/error-note.tsx';
import { firstLimits, readLimits, type SwipeDraft } from './swipe-limits.ts';
import { allowanceTexts, swipeTexts as t, texts } from '../texts/texts.ts';
import { useAction } from '../window/use-action.ts';

/** Edits the two prefilled limits for one-swipe payments. Submitting the form enables one-swipe payments. */
export function SwipeLimitsForm({
  allowance,
  rate,
  isOn,
  onDone,
  onCancel,
}: {
  allowance: AllowanceView | null;
  rate: Rate;
  isOn: boolean;
  onDone: () => void;
  onCancel: () => void;
}) {
  const [draft, setDraft] = useState<SwipeDraft>(() => firstLimits(allowance, rate));
  const id = useId();
  const { limits, problem } = readLimits(draft, rate);
  const save = useAction(async () => {
    if (limits === null) return;
    await call('swipes/change', limits);
    onDone();
  });
  const field = (name: 'perSwipe' | 'perDay', label: string) => (
    <div class="field grow">
      <label class="label" for={`${id}-${name}`}>
        {label} ({draft.currency})
      </label>
      <input
        type="text"
        id={`${id}-${name}`}
        class="input"
        inputMode="decimal"
        autocomplete="off"
        maxLength={30}
        value={draft[name]}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-note`}
        data-part={name}
        onInput={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
      />
      <AmountNote
        id={`${id}-${name}-note`}
        typed={draft[name]}
        currency={draft.currency}
        problem={undefined}
        onChoose={(text) => setDraft({ ...draft, [name]: text })}
      />
    </div>
  );
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      {field('perSwipe', t.perSwipe)}
      {field('perDay', t.perDay)}
      <p class="field-error" role="alert" id={`${id}-note`}>
        {problem === texts.whichAmount ? '' : problem}
      </p>
      {limits?.rate && (
        <p class="small muted" data-part="ceiling">
          {ceilingInWords(limits)}
        </p>
      )}
      <ErrorNote error={save.error} />
      <div class="cluster">
        <button
          type="submit"
          class="button button-primary button-small"
          disabled={limits === null}
          aria-busy={save.busy}
          data-action="swipes-save"
        >
          {isOn ? allowanceTexts.save : t.turnOn}
        </button>
        <button type="button" class="button button-quiet button-small" onClick={onCancel}>
          {allowanceTexts.cancel}
        </button>
      </div>
    </form>
  );
}
