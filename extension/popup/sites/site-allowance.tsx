import { useEffect, useState } from 'preact/hooks';
import type { AllowanceView, Rate } from '../../../protocol/messages/wallet-messages.ts';
import { AllowanceLeft } from '../../ui/sites/allowance-facts.tsx';
import { AllowanceForm } from '../../ui/sites/allowance-form.tsx';
import { ceilingInWords, draftOf, readDraft } from '../../ui/sites/allowance-terms.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { formatAmount, visible } from '../../ui/amounts/format.ts';
import { allowanceTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';

/** Shows an allowance's spent and remaining amounts, and lets users change or revoke it. */
export function SiteAllowance({ allowance }: { allowance: AllowanceView }) {
  const [at, setAt] = useState<'shown' | 'changing' | 'revoking'>('shown');
  const { token, currency, spent, period, totalSpent, payments, clientIdentifier, automatic } = allowance;
  const revoke = useAction(async () => void (await call('sites/revoke', { token })));
  return (
    <section class="card site-allowance" data-allowance={token}>
      <h2 class="subheading">{t.kinds[automatic ? 'automatic' : 'swipe']}</h2>
      {clientIdentifier !== '' && (
        <p class="small muted anywhere">
          {t.application}: <bdi class="mono">{visible(clientIdentifier)}</bdi>
        </p>
      )}
      <AllowanceLeft allowance={allowance} />
      <dl class="facts allowance-facts">
        <dt>{t.spent}</dt>
        <dd class="amount" data-part="spent">
          {t.spentNow[period]({ spent: formatAmount(spent, currency) })}
        </dd>
        <dt>{t.total}</dt>
        <dd class="amount">{t.totalOf({ amount: formatAmount(totalSpent, currency), n: payments })}</dd>
      </dl>
      <ErrorNote error={revoke.error} />
      {at === 'changing' && <ChangeForm allowance={allowance} onDone={() => setAt('shown')} />}
      {at === 'shown' && (
        <div class="cluster">
          <button
            type="button"
            class="button button-quiet button-small"
            data-action="change"
            onClick={() => setAt('changing')}
          >
            {t.change}
          </button>
          <button
            type="button"
            class="button button-quiet button-small"
            data-action="revoke"
            onClick={() => setAt('revoking')}
          >
            {t.revoke}
          </button>
        </div>
      )}
      {at === 'revoking' && (
        <div class="cluster">
          <button
            type="button"
            class="button button-danger button-small"
            aria-busy={revoke.busy}
            data-action="revoke-sure"
            onClick={() => revoke.run()}
          >
            {t.revokeSure}
          </button>
          <button type="button" class="button button-quiet button-small" onClick={() => setAt('shown')}>
            {t.cancel}
          </button>
        </div>
      )}
    </section>
  );
}

function ChangeForm({ allowance, onDone }: { allowance: AllowanceView; onDone: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(allowance));
  const [rates, setRates] = useState<Rate[] | null>(null);
  useEffect(() => {
    call('sites/rate', { currency: allowance.currency }).then(
      ({ rate }) => setRates(rate ? [rate] : []),
      () => setRates([]),
    );
  }, [allowance.currency]);
  const { terms, problems } = readDraft(draft, rates ?? []);
  const save = useAction(async () => {
    if (terms === null) return;
    const { currency: _, ...wanted } = terms;
    await call('sites/change', { token: allowance.token, ...wanted });
    onDone();
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <AllowanceForm draft={draft} onDraft={setDraft} rates={rates ?? []} />
      {terms?.rate && <p data-part="ceiling">{ceilingInWords(terms)}</p>}
      {rates?.length === 0 && problems?.amount && (
        <p class="field-error" role="alert">
          {problems.amount}
        </p>
      )}
      <p class="small muted">{t.resets[draft.period]}</p>
      <ErrorNote error={save.error} />
      <div class="cluster">
        <button
          type="submit"
          class="button button-primary button-small"
          disabled={terms === null}
          aria-busy={save.busy}
          data-action="save"
        >
          {t.save}
        </button>
        <button type="button" class="button button-quiet button-small" onClick={onDone}>
          {t.cancel}
        </button>
      </div>
    </form>
  );
}
