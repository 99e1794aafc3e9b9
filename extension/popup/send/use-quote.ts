/** Requests quotes of a draft while it is typed: one request at a time, the next when the last is answered. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ServiceError } from '../../../protocol/errors/service-error.ts';
import { asServiceError } from '../../ui/window/use-action.ts';

/** The last response. `current`: it matches the form. */
export interface LiveQuote<Quote> {
  quote: Quote | null;
  error: ServiceError | null;
  current: boolean;
}

interface Question<Draft> {
  text: string;
  draft: Draft | null;
}

/**
 * `draft` is null while input is missing; `request` makes the request, which a change of `news`, such as the balance,
 * repeats. `pause` debounces typing (milliseconds), so that strangers' hosts aren't queried for half a name.
 */
export function useQuote<Draft, Quote>(
  draft: Draft | null,
  request: (draft: Draft) => Promise<Quote>,
  news: string,
  pause: number,
): LiveQuote<Quote> {
  const text = JSON.stringify([draft, news]);
  const latest = useRef<Question<Draft>>({ text: '', draft: null });
  const due = useRef('');
  const asking = useRef(false);
  const gone = useRef(false);
  const [answer, setAnswer] = useState<Omit<LiveQuote<Quote>, 'current'> & { text: string }>({
    text: '',
    quote: null,
    error: null,
  });
  latest.current = { text, draft };

  async function ask(): Promise<void> {
    due.current = latest.current.text;
    if (asking.current) return; // the request in progress starts the next
    asking.current = true;
    let asked: Question<Draft>;
    let next: Omit<LiveQuote<Quote>, 'current'>;
    do {
      asked = latest.current;
      try {
        next = { quote: asked.draft && (await request(asked.draft)), error: null };
      } catch (error) {
        next = { quote: null, error: asServiceError(error) };
      }
      // Text typed since then is requested after its own pause.
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
  return { quote: draft === null ? null : answer.quote, error: answer.error, current: answer.text === text };
}
