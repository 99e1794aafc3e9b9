import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Rate } from '../../../protocol/messages/wallet-messages.ts';
import { InlineAmount } from '../../ui/amounts/amount.tsx';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { activityTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';

interface CancelProps {
  id: string;
  fee: string;
  rate: Rate | null;
  onCancelled: () => void;
}

/** Cancels a payment that the network rejects. The first click only explains the effect and the cost. */
export function CancelPayment({ id, fee, rate, onCancelled }: CancelProps) {
  const [asking, setAsking] = useState(false);
  const text = useRef<HTMLParagraphElement>(null);
  const cancel = useAction(async () => {
    await call('activity/cancel', { id, feeSatoshis: fee });
    setAsking(false);
    onCancelled();
  });
  useLayoutEffect(() => {
    if (asking) text.current?.focus();
  }, [asking]);
  if (!asking)
    return (
      <p class="activity-cancel">
        <button
          type="button"
          class="button button-quiet button-small"
          data-action="cancel-payment"
          onClick={() => setAsking(true)}
        >
          {t.cancelPayment}
        </button>
      </p>
    );
  return (
    <section class="activity-cancel stack stack-tight" aria-label={t.cancelPayment}>
      <p class="small" tabIndex={-1} ref={text}>
        {t.cancelText}
      </p>
      <p class="small">
        {t.fee}: <InlineAmount satoshis={BigInt(fee)} rate={rate} />
      </p>
      <ErrorNote error={cancel.error} kind="warning" />
      <div class="cluster">
        <button
          type="button"
          class="button button-danger button-small"
          data-action="cancel-yes"
          aria-busy={cancel.busy}
          onClick={() => void cancel.run()}
        >
          {t.cancelYes}
        </button>
        <button
          type="button"
          class="button button-quiet button-small"
          data-action="cancel-no"
          onClick={() => setAsking(false)}
        >
          {t.cancelNo}
        </button>
      </div>
    </section>
  );
}
