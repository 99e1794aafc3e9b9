import { useState } from 'preact/hooks';
import type { Overview, SendQuote, SendResult, Settings } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { emptyRow, recipientsOf, type Draft } from './draft.ts';
import { Review } from './review.tsx';
import { SendForm } from './send-form.tsx';
import { Sent } from './sent.tsx';
import './send.css';

interface SendPageProps {
  overview: Overview;
  settings: Settings;
  /** The recipient, if already chosen, otherwise ''. */
  to: string;
  onContacts: () => void;
  onBack: () => void;
}

type Step = { at: 'form' } | { at: 'review'; quote: SendQuote } | { at: 'sent'; quote: SendQuote; result: SendResult };

/** Sends money: the form, the review, and the result. Going back from the review preserves the input. */
export function SendPage({ overview, settings, to, onContacts, onBack }: SendPageProps) {
  const [draft, setDraft] = useState<Draft>({
    rows: [{ ...emptyRow(1), to }],
    currency: overview.rate === null ? 'BSV' : settings.currency,
    note: '',
  });
  const [step, setStep] = useState<Step>({ at: 'form' });
  switch (step.at) {
    case 'form':
      return (
        <SendForm
          overview={overview}
          serviceUrl={settings.serviceUrl}
          draft={draft}
          currencies={[...new Set([settings.currency, 'BSV'])]}
          onDraft={setDraft}
          onContacts={onContacts}
          onBack={onBack}
          onReview={(quote) => setStep({ at: 'review', quote })}
        />
      );
    case 'review':
      return (
        <Review
          quote={step.quote}
          note={draft.note.trim()}
          onBack={() => setStep({ at: 'form' })}
          onSent={(result, quote) => setStep({ at: 'sent', quote, result })}
          again={() => call('send/quote', { recipients: recipientsOf(draft) ?? [] })}
        />
      );
    case 'sent':
      return <Sent result={step.result} quote={step.quote} onActivity={onBack} />;
  }
}
