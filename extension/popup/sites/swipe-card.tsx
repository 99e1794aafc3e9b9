import { useEffect, useState } from 'preact/hooks';
import type { Rate, SwipeLimitsView } from '../../../protocol/messages/wallet-messages.ts';
import { AllowanceLeft } from '../../ui/sites/allowance-facts.tsx';
import { call, onChanges } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { formatAmount } from '../../ui/amounts/format.ts';
import { canSwipe } from '../../ui/sites/swipe-limits.ts';
import { SwipeLimitsForm } from '../../ui/sites/swipe-limits-form.tsx';
import { allowanceTexts, swipeTexts as t, texts } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';

/**
 * Shows today's remaining limit for one-swipe payments on all sites, and lets users change the limits or disable these
 * payments.
 */
export function SwipeCard({ rate }: { rate: Rate | null }) {
  const [swipes, setSwipes] = useState<SwipeLimitsView | null>(null);
  const [changing, setChanging] = useState(false);
  const isPossible = canSwipe();
  useEffect(() => {
    if (!isPossible) return;
    const read = () => void call('swipes/read', {}).then(setSwipes, () => {});
    read();
    return onChanges(read);
  }, [isPossible]);
  const turnOff = useAction(async () => void (await call('swipes/switch-off', {})));
  if (swipes === null) return null;
  const { on, allowance } = swipes;
  return (
    <section class="card site-allowance swipe-card" data-part="swipes" data-on={on}>
      <h2 class="subheading">{t.title}</h2>
      <p class="small muted">
        {t.about} {t.otherwise}
      </p>
      {on && allowance && (
        <>
          <AllowanceLeft allowance={allowance} />
          <dl class="facts allowance-facts">
            <dt>{allowanceTexts.spent}</dt>
            <dd class="amount" data-part="spent">
              {allowanceTexts.spentNow.day({ spent: formatAmount(allowance.spent, allowance.currency) })}
            </dd>
          </dl>
        </>
      )}
      <ErrorNote error={turnOff.error} />
      {rate === null && <p class="small">{texts.rate.unknown}</p>}
      {changing && rate !== null ? (
        <SwipeLimitsForm
          allowance={allowance}
          rate={rate}
          isOn={on}
          onDone={() => setChanging(false)}
          onCancel={() => setChanging(false)}
        />
      ) : (
        <div class="cluster">
          <button
            type="button"
            class={`button button-small ${on ? 'button-quiet' : 'button-primary'}`}
            disabled={rate === null}
            data-action="swipes-change"
            onClick={() => setChanging(true)}
          >
            {on ? t.change : t.turnOn}
          </button>
          {on && (
            <button
              type="button"
              class="button button-quiet button-small"
              aria-busy={turnOff.busy}
              data-action="swipes-off"
              onClick={() => turnOff.run()}
            >
              {t.turnOff}
            </button>
          )}
        </div>
      )}
    </section>
  );
}
