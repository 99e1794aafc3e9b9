import { useState } from 'preact/hooks';
import type { Rate } from '../../protocol/messages/wallet-messages.ts';
import { call } from '../ui/window/call.ts';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { formatAmount } from '../ui/amounts/format.ts';
import { canSwipe, readLimits, suggestedLimits } from '../ui/sites/swipe-limits.ts';
import { swipeTexts as t } from '../ui/texts/texts.ts';
import { useAction } from '../ui/window/use-action.ts';

/** Offers one-swipe payments within the suggested limits. One-swipe payments are off until the user enables them. */
export function SwipeOffer({ rate }: { rate: Rate }) {
  const [isOn, setOn] = useState(false);
  const { limits } = readLimits(suggestedLimits(rate), rate);
  const turnOn = useAction(async () => {
    if (limits === null) return;
    await call('swipes/change', limits);
    setOn(true);
  });
  if (!canSwipe() || limits === null) return null;
  const amount = (text: string) => formatAmount(text, limits.currency);
  return (
    <section class="card stack stack-tight" data-part="swipes">
      <h2 class="subheading">{t.title}</h2>
      <p>
        {t.about} {t.limits({ perSwipe: amount(limits.perPayment), perDay: amount(limits.amount) })}
      </p>
      <p class="small muted">
        {t.otherwise} {t.where}
      </p>
      <ErrorNote error={turnOn.error} />
      {isOn ? (
        <p role="status">{t.on}</p>
      ) : (
        <button
          type="button"
          class="button button-quiet"
          aria-busy={turnOn.busy}
          data-action="swipes-on"
          onClick={() => turnOn.run()}
        >
          {t.turnOn}
        </button>
      )}
    </section>
  );
}
