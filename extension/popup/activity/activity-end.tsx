import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { activityTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';

/**
 * Ends a payment that spends none of the user's coins, or only missing ones. One click is sufficient, because ending
 * the payment is free.
 */
export function EndPayment({ id, onEnded }: { id: string; onEnded: () => void }) {
  const end = useAction(async () => {
    await call('activity/end', { id });
    onEnded();
  });
  return (
    <div class="activity-cancel stack stack-tight">
      <ErrorNote error={end.error} kind="warning" />
      <button
        type="button"
        class="button button-quiet button-small"
        data-action="end-payment"
        aria-busy={end.busy}
        onClick={() => void end.run()}
      >
        {t.endPayment}
      </button>
    </div>
  );
}
