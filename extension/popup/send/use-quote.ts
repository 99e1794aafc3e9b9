/** Requests quotes for a draft while the user types, one request at a time. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ServiceError } from '../../../protocol/errors/service-error.ts';
import { asServiceError } from '../../ui/window/use-action.ts';

/** The latest response. `current` is true if the response matches the form. */
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
 * Requests quotes. `draft` is null while input is missing. `request` is repeated when `news`, such as the balance,
 * changes. `pause` is a delay after typing (milliseconds), so hosts aren't queried for incomplete names.
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
    if (asking.current) return; // The request in progress will start the next one.
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
      // After another delay, input typed during the request gets a new quote.
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
