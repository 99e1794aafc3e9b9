import { useMemo, useState } from 'preact/hooks';
import { meaningOf, ServiceError } from '../../../protocol/errors/service-error.ts';
import type { SendQuote, SendResult } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { formatMoney } from '../../ui/amounts/format.ts';
import { RateAge } from '../../ui/amounts/rate-age.tsx';
import { useShortcut } from '../../ui/window/shortcuts.ts';
import { approvalTexts, sendTexts as t } from '../../ui/texts/texts.ts';
import { asServiceError, useAction } from '../../ui/window/use-action.ts';
import { useGuard } from '../../ui/window/use-guard.ts';
import { PageHead } from '../page-head.tsx';
import { Cost } from './cost.tsx';
import { PaidRecipients } from './paid-recipients.tsx';
import { ReviewActions } from './review-actions.tsx';

interface ReviewProps {
  quote: SendQuote;
  note: string;
  again: () => Promise<SendQuote>;
  onSent: (result: SendResult, quote: SendQuote) => void;
  onBack: () => void;
}

/** Shows the review before money is sent: all payments, and the button to make them. */
export function Review({ quote: first, note, again, onSent, onBack }: ReviewProps) {
  const [quote, setQuote] = useState(first);
  const [changed, setChanged] = useState(false);
  // One ID per quote, so repeated requests don't pay twice. A new quote is a new payment.
  const requestId = useMemo(() => crypto.randomUUID(), [quote]);
  const guard = useGuard(JSON.stringify([quote.outputs, quote.feeSatoshis, quote.mayPayTwice]));
  const send = useAction(async () => {
    if (!guard.ready()) {
      guard.restart();
      throw new ServiceError('too-soon');
    }
    const { feeSatoshis, time } = quote;
    const outputs = quote.outputs.map(({ type, to, amount, currency, satoshis }) => ({
      type,
      to,
      amount,
      currency,
      satoshis,
    }));
    try {
      onSent(
        await call('send/pay', {
          requestId,
          outputs,
          feeSatoshis: feeSatoshis ?? '0',
          time,
          ...(note !== '' && { note }),
          ...(quote.mayPayTwice && { mayPayTwice: true }),
        }),
        quote,
      );
    } catch (cause) {
      const error = asServiceError(cause);
      if (!meaningOf(error.code).quoteAgain) throw error;
      const fresh = await again();
      if (fresh.feeSatoshis === null)
        throw fresh.problem === null ? error : new ServiceError(fresh.problem.code, { message: fresh.problem.message });
      setQuote(fresh);
      setChanged(true);
    }
  });
  useShortcut('confirm', () => void send.run());
  const total = formatMoney(BigInt(quote.totalSatoshis ?? 0), quote.rate);
  return (
    <section class="popup-page send arrive">
      <PageHead title={t.checkTitle} onBack={onBack} />
      <p class="muted">{t.checkText}</p>
      <PaidRecipients outputs={quote.outputs} rate={quote.rate} label={t.to} />
      <Cost quote={quote} />
      <RateAge rate={quote.rate} />
      {note !== '' && (
        <dl class="facts small">
          <dt>{t.note}</dt>
          <dd dir="auto">{note}</dd>
        </dl>
      )}
      {quote.mayPayTwice && (
        <p class="banner banner-warning" data-part="twice">
          {approvalTexts.twice}
        </p>
      )}
      <ReviewActions send={send} changed={changed} label={t.pay({ amount: total })} texts={t} onBack={onBack} />
    </section>
  );
}
