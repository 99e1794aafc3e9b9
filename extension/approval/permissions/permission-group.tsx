import { useState } from 'preact/hooks';
import type { AllowanceTerms, PermissionGroupView } from '../../../protocol/messages/wallet-messages.ts';
import { AllowanceLeft } from '../../ui/sites/allowance-facts.tsx';
import { AllowanceForm } from '../../ui/sites/allowance-form.tsx';
import {
  ceilingInWords,
  firstDraft,
  readDraft,
  termsInWords,
  type AllowanceDraft,
} from '../../ui/sites/allowance-terms.ts';
import { PermissionLine } from '../../ui/sites/permission-line.tsx';
import { quoted } from '../../ui/controls/quoted.ts';
import { allowanceTexts, approvalTexts, permissionTexts } from '../../ui/texts/texts.ts';
import { useGuard } from '../../ui/window/use-guard.ts';
import { AboveBalance } from '../payment/above-balance.tsx';
import { Decision, type Choice } from '../decision.tsx';
import { MoreBelow, useMoreBelow } from '../more-below.tsx';
import { Question } from '../question.tsx';

const t = permissionTexts.group;

interface GroupProps {
  view: PermissionGroupView;
  deciding: { current: boolean };
  decide: (choice: Choice, permitted: number[], terms: AllowanceTerms | null) => Promise<void>;
}

/**
 * Prompts for all permissions in a site's manifest. Each permission has a checkbox. Initially, all are selected except
 * the one for payments. Names and reasons come from the page. The user sets the amounts.
 */
export function PermissionGroup({ view, deciding, decide }: GroupProps) {
  const [left, setLeft] = useState<readonly number[]>([]);
  const [pays, setPays] = useState(false);
  const [draft, setDraft] = useState<AllowanceDraft>(() => ({
    ...firstDraft({ suggested: view.suggested, minimum: null }, view.allowanceRates),
    period: 'month',
  }));
  const guard = useGuard(JSON.stringify({ ...view, locked: false, balanceSatoshis: '', allowanceRates: [] }));
  const more = useMoreBelow();
  const connects = view.wanted.some(({ permission }) => permission.kind === 'connect');
  const choices = view.wanted.flatMap((one, place) => (one.permission.kind === 'connect' ? [] : { ...one, place }));
  const permitted = choices.map(({ place }) => place).filter((place) => !left.includes(place));
  const terms = pays ? readDraft(draft, view.allowanceRates).terms : null;
  const isComplete = (connects || permitted.length > 0 || pays) && pays === (terms !== null);
  return (
    <div class="approval">
      <Question view={view} title={t.title} asks={t.asks}>
        <p data-part="may">{t.what}</p>
        <fieldset class="stack stack-tight permission-list">
          <legend class="part">{t.list}</legend>
          {choices.map(({ permission, said, place }) => (
            <label key={place} class="choice">
              <input
                type="checkbox"
                checked={!left.includes(place)}
                data-part="wanted"
                onChange={({ currentTarget: { checked } }) =>
                  setLeft(checked ? left.filter((one) => one !== place) : [...left, place])
                }
              />
              <span class="choice-text">
                <PermissionLine permission={permission} />
                {said !== null && (
                  <span class="permission-line small muted anywhere" dir="auto">
                    {approvalTexts.siteSays({ quoted: quoted(said) })}
                  </span>
                )}
              </span>
            </label>
          ))}
        </fieldset>
        {view.suggested !== null && (
          <section class="stack stack-tight" aria-labelledby="paying">
            <h2 class="part" id="paying">
              {t.paying}
            </h2>
            {view.current && <AllowanceLeft allowance={view.current} />}
            <label class="choice">
              <input
                type="checkbox"
                checked={pays}
                data-part="grant-on"
                onChange={({ currentTarget: { checked } }) => setPays(checked)}
              />
              <span class="choice-text">{allowanceTexts.on.automatic}</span>
            </label>
            {pays && (
              <>
                <AllowanceForm draft={draft} onDraft={setDraft} rates={view.allowanceRates} />
                {terms !== null && <p>{allowanceTexts.may.automatic({ amount: termsInWords(terms) })}</p>}
                {terms?.rate && <p data-part="ceiling">{ceilingInWords(terms)}</p>}
                {terms !== null && <AboveBalance terms={terms} view={view} />}
                <p class="small muted">
                  {allowanceTexts.resets[draft.period]} {view.current && allowanceTexts.replaces}
                </p>
              </>
            )}
          </section>
        )}
        {connects && <p data-part="connects">{permissionTexts.connects}</p>}
        <p class="small muted">
          {view.suggested === null ? t.notPaying : t.not} {permissionTexts.takeBack}
        </p>
        {view.certificates && <p class="small muted">{t.certificates}</p>}
        <div ref={more.end} />
      </Question>
      <Decision
        title={t.title}
        locked={view.locked}
        mayBlock={view.mayBlock}
        guard={guard}
        deciding={deciding}
        decide={(choice) => decide(choice, permitted, terms)}
        yes={{
          action: 'permit',
          busy: permissionTexts.busy,
          possible: isComplete,
          label: yesLabel(view.locked, isComplete, pays, terms),
        }}
      >
        {more.hidden && <MoreBelow onShow={() => window.scrollTo(0, document.documentElement.scrollHeight)} />}
      </Decision>
    </div>
  );
}

function yesLabel(locked: boolean, isComplete: boolean, pays: boolean, terms: AllowanceTerms | null): string {
  if (!isComplete) return pays ? allowanceTexts.incomplete : t.none;
  if (terms !== null) return (locked ? t.unlockAndAllowUpTo : t.allowUpTo)({ amount: termsInWords(terms) });
  return locked ? permissionTexts.unlockAndYes : permissionTexts.yes;
}
