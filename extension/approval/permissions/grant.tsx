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

/** The form's state. The terms follow from it at each display, because the rates can change while the window is open. */
export interface GrantDraft {
  isOn: boolean;
  draft: AllowanceDraft;
}

/** The allowance granted with a payment: none, its terms, or an incomplete form. */
export type Grant = { kind: 'none' } | { kind: 'incomplete' } | { kind: 'terms'; terms: AllowanceTerms };

/**
 * Returns the initial state: on if the page has no allowance yet and suggests a complete one with its first payment.
 */
export function firstGrant({ wanted, allowance, allowanceRates }: ApprovalView): GrantDraft {
  const draft = firstDraft(wanted, allowanceRates);
  const isSuggested = wanted?.suggested && !wanted.hadOne && allowance === null;
  return { draft, isOn: Boolean(isSuggested) && readDraft(draft, allowanceRates).terms !== null };
}

/** Returns the allowance at the displayed rates. */
export function grantOf({ isOn, draft }: GrantDraft, { allowanceRates }: ApprovalView): Grant {
  if (!isOn) return { kind: 'none' };
  const { terms } = readDraft(draft, allowanceRates);
  return terms === null ? { kind: 'incomplete' } : { kind: 'terms', terms };
}

interface GrantFormProps {
  view: ApprovalView;
  grant: GrantDraft;
  onGrant: (grant: GrantDraft) => void;
}

/**
 * Shows "Allow this site…" in a payment window. The allowance is granted only if the payment is approved. The form is
 * initially collapsed and off.
 */
export function GrantForm({ view, grant: { isOn, draft }, onGrant }: GrantFormProps) {
  // Expanded for automatic payments, because without an allowance each payment would prompt the user.
  const [open, setOpen] = useState(view.automatic);
  const kind = view.automatic ? 'automatic' : 'swipe';
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
          onGrant({ isOn: false, draft });
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
              checked={isOn}
              data-part="grant-on"
              onChange={(event) => onGrant({ isOn: event.currentTarget.checked, draft })}
            />
            <span class="choice-text">{t.on[kind]}</span>
          </label>
          {isOn && (
            <>
              <AllowanceForm
                draft={draft}
                rates={view.allowanceRates}
                onDraft={(next) => onGrant({ isOn, draft: next })}
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
