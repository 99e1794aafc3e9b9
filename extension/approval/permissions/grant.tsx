import { useState } from 'preact/hooks';
import type { AllowanceTerms, ApprovalView } from '../../../protocol/messages/wallet-messages.ts';
import { AllowanceForm } from '../../ui/sites/allowance-form.tsx';
import {
  ceilingInWords,
  firstDraft,
  readDraft,
  termsInWords,
  type AllowanceDraft,
} from '../../ui/sites/allowance-terms.ts';
import { visible } from '../../ui/amounts/format.ts';
import { ChevronIcon } from '../../ui/controls/icons.tsx';
import { allowanceTexts as t } from '../../ui/texts/texts.ts';
import { AboveBalance } from '../payment/above-balance.tsx';
import { BelowMinimum } from '../payment/below-minimum.tsx';

/** The allowance granted with a payment: none, its terms, or an incomplete form. */
export type Grant = { kind: 'none' } | { kind: 'incomplete' } | { kind: 'terms'; terms: AllowanceTerms };

/**
 * Returns the initial state: the suggested terms if the page has no allowance yet and suggests one with its first
 * payment, otherwise `none`.
 */
export function firstGrant({ wanted, allowance, allowanceRates }: ApprovalView): Grant {
  if (!wanted?.suggested || wanted.hadOne || allowance !== null) return { kind: 'none' };
  const { terms } = readDraft(firstDraft(wanted, allowanceRates), allowanceRates);
  return terms === null ? { kind: 'none' } : { kind: 'terms', terms };
}

/**
 * Shows "Allow this site…" in a payment window. The allowance is granted only if the payment is approved. The form is
 * initially collapsed and off.
 */
export function GrantForm({ view, onGrant }: { view: ApprovalView; onGrant: (grant: Grant) => void }) {
  // Expanded for automatic payments, because without an allowance each payment would prompt the user.
  const [open, setOpen] = useState(view.automatic);
  const [on, setOn] = useState(() => firstGrant(view).kind === 'terms');
  const [draft, setDraft] = useState<AllowanceDraft>(() => firstDraft(view.wanted, view.allowanceRates));
  const kind = view.automatic ? 'automatic' : 'swipe';
  const tell = (isOn: boolean, next: AllowanceDraft) => {
    const { terms } = readDraft(next, view.allowanceRates);
    onGrant(!isOn ? { kind: 'none' } : terms === null ? { kind: 'incomplete' } : { kind: 'terms', terms });
  };
  const { terms } = readDraft(draft, view.allowanceRates);
  return (
    <section class="grant">
      <button
        type="button"
        class="grant-fold"
        aria-expanded={open}
        data-action="allow-site"
        onClick={() => {
          setOpen(!open);
          setOn(false);
          tell(false, draft);
        }}
      >
        <ChevronIcon size={16} />
        {t.open}
      </button>
      {open && (
        <div class="grant-body">
          <label class="choice">
            <input
              type="checkbox"
              checked={on}
              data-part="grant-on"
              onChange={(event) => {
                setOn(event.currentTarget.checked);
                tell(event.currentTarget.checked, draft);
              }}
            />
            <span class="choice-text">{t.on[kind]}</span>
          </label>
          {on && (
            <>
              <AllowanceForm
                draft={draft}
                rates={view.allowanceRates}
                onDraft={(next) => {
                  setDraft(next);
                  tell(on, next);
                }}
              />
              {terms !== null && <p>{t.may[kind]({ amount: termsInWords(terms) })}</p>}
              {terms?.rate && <p data-part="ceiling">{ceilingInWords(terms)}</p>}
              {terms !== null && <AboveBalance terms={terms} view={view} />}
              {terms !== null && (
                <BelowMinimum terms={terms} minimum={view.wanted?.minimum ?? null} rates={view.allowanceRates} />
              )}
              <p class="small muted">
                {t.resets[draft.period]} {t.takeBack} {view.allowance !== null && t.replaces}
              </p>
              {view.clientIdentifier !== '' && (
                <p class="small muted anywhere">
                  {t.application}: <bdi class="mono">{visible(view.clientIdentifier)}</bdi>
                </p>
              )}
            </>
          )}
        </div>
      )}
    </section>
  );
}
