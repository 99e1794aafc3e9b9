import { useState } from 'preact/hooks';
import type { AllowancePromptView, AllowanceTerms } from '../../../protocol/messages/wallet-messages.ts';
import { AllowanceLeft } from '../../ui/sites/allowance-facts.tsx';
import { AllowanceForm } from '../../ui/sites/allowance-form.tsx';
import {
  ceilingInWords,
  firstDraft,
  inUserCurrency,
  readDraft,
  termsInWords,
  type AllowanceDraft,
} from '../../ui/sites/allowance-terms.ts';
import { visible } from '../../ui/amounts/format.ts';
import { allowanceTexts as t } from '../../ui/texts/texts.ts';
import { AboveBalance } from '../payment/above-balance.tsx';
import { BelowMinimum } from '../payment/below-minimum.tsx';
import { Decision, type Choice } from '../decision.tsx';
import { MoreBelow, useMoreBelow } from '../more-below.tsx';
import { Question } from '../question.tsx';
import { useGuard } from '../../ui/window/use-guard.ts';

interface AllowanceAskProps {
  view: AllowancePromptView;
  deciding: { current: boolean };
  decide: (choice: Choice, terms: AllowanceTerms | null) => Promise<void>;
}

/** Shows the prompt for an allowance: the site, the consequences, the user's amount, and the decision. */
export function AllowancePrompt({ view, deciding, decide }: AllowanceAskProps) {
  const [draft, setDraft] = useState<AllowanceDraft>(() => firstDraft(view, view.allowanceRates));
  const guard = useGuard(JSON.stringify({ ...view, locked: false, balanceSatoshis: '', allowanceRates: [] }));
  const more = useMoreBelow();
  const { terms } = readDraft(draft, view.allowanceRates);
  const words = terms === null ? null : termsInWords(terms);
  const own = terms === null ? null : inUserCurrency(terms, view.allowanceRates);
  return (
    <div class="approval">
      <Question view={view} title={t.asksTitle} asks={t.asks}>
        <p>{t.what}</p>
        {view.current && (
          <section aria-labelledby="allowance">
            <h2 class="part" id="allowance">
              {t.current}
            </h2>
            <AllowanceLeft allowance={view.current} />
          </section>
        )}
        <AllowanceForm draft={draft} onDraft={setDraft} rates={view.allowanceRates} />
        {own !== null && <p data-part="own-money">{t.about({ amount: own })}</p>}
        {terms?.rate && <p data-part="ceiling">{ceilingInWords(terms)}</p>}
        {terms !== null && <AboveBalance terms={terms} view={view} />}
        {terms !== null && <BelowMinimum terms={terms} minimum={view.minimum} rates={view.allowanceRates} />}
        <p class="small muted">
          {t.resets[draft.period]} {t.takeBack} {view.current && t.replaces}
        </p>
        {view.clientIdentifier !== '' && (
          <p class="small muted anywhere">
            {t.application}: <bdi class="mono">{visible(view.clientIdentifier)}</bdi>
          </p>
        )}
        <div ref={more.end} />
      </Question>
      <Decision
        title={t.asksTitle}
        locked={view.locked}
        mayBlock={view.mayBlock}
        guard={guard}
        deciding={deciding}
        yes={{
          action: 'grant',
          busy: t.granting,
          possible: words !== null,
          label:
            words === null
              ? t.incomplete
              : view.locked
                ? t.unlockAndGrant({ amount: words })
                : t.grant({ amount: words }),
        }}
        decide={(choice) => decide(choice, terms)}
      >
        {more.hidden && <MoreBelow onShow={() => window.scrollTo(0, document.documentElement.scrollHeight)} />}
      </Decision>
    </div>
  );
}
