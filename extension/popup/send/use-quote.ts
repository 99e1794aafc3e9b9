/**
 * Asks the wallet what a draft would cost, while it is typed: one question at a time, the next when the last is
 * answered.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ServiceError } from '../../../protocol/errors.ts';
import type { SendQuote, SendRecipient } from '../../../protocol/wallet-messages.ts';
import { call } from '../../ui/call.ts';
import { asServiceError } from '../../ui/use-action.ts';

/** The last answer. `current`: it answers what is in the form now. */
export interface LiveQuote {
  quote: SendQuote | null;
  error: ServiceError | null;
  current: boolean;
}

interface Question {
  text: string;
  recipients: SendRecipient[] | null;
}

/**
 * `news` changes with whatever makes the same question worth asking again, such as the balance. `pause` is how long nothing
 * must be typed before it is asked (milliseconds): a stranger's host is not asked about half a name.
 */
export function useQuote(recipients: SendRecipient[] | null, news: string, pause: number): LiveQuote {
  const text = JSON.stringify([recipients, news]);
  const latest = useRef<Question>({ text: '', recipients: null });
  const due = useRef('');
  const asking = useRef(false);
  const gone = useRef(false);
  const [answer, setAnswer] = useState<Omit<LiveQuote, 'current'> & { text: string }>({
    text: '',
    quote: null,
    error: null,
  });
  latest.current = { text, recipients };

  async function ask(): Promise<void> {
    due.current = latest.current.text;
    if (asking.current) return; // the request in progress starts the next
    asking.current = true;
    let asked: Question;
    let next: Omit<LiveQuote, 'current'>;
    do {
      asked = latest.current;
      try {
        next = { quote: asked.recipients && (await call('send/quote', { recipients: asked.recipients })), error: null };
      } catch (error) {
        next = { quote: null, error: asServiceError(error) };
      }
      // What is typed meanwhile, and not yet due, is asked after its own pause.
    } while (asked.text !== latest.current.text && due.current === latest.current.text && !gone.current);
    asking.current = false;
    if (!gone.current) setAnswer({ ...next, text: asked.text });
  }

  useEffect(() => {
    if (pause === 0) return void ask();
    const timer = setTimeout(() => void ask(), pause);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => () => void (gone.current = true), []);
  return { quote: recipients === null ? null : answer.quote, error: answer.error, current: answer.text === text };
}
