/**
 * Which payment id a swipe uses. The wallet pays an id once, so while the outcome of an attempt is unknown, repeating
 * the request with its id is safe, and a new id could pay twice.
 *
 * Unsettled ids are kept in the tab's session storage, because after a lost connection people are asked to reload.
 */
import type { PaymentOptions } from '../protocol/payment.ts';
import type { PaymentError } from './payment-error.ts';

/** Name of the session storage entry. */
export const ATTEMPTS_KEY = 'service-button/1 unsettled payments';
/** Milliseconds after which an unsettled attempt is history: a swipe then is a new payment. */
const KEPT = 3_600_000;

/** One swipe's claim on an id. */
export interface Attempt {
  id: string;
  /** The id was asked with before, and nobody knows how that ended. */
  again: boolean;
}

interface Kept {
  id: string;
  /** The payment as text, without its label, which may count something down: the same payment has the same key. */
  key: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The part of Web Storage used here. */
export type AttemptStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Hands out ids and remembers the unsettled ones. */
export interface PaymentAttempts {
  /** The id for a swipe that asks for `options`. */
  begin(options: PaymentOptions, automatic?: boolean): Attempt;
  /** How it ended: with an error, or well. */
  end(attempt: Attempt, error?: Pick<PaymentError, 'moved' | 'final'>): void;
}

/** @param storage of the tab; it may throw where the page may not use any */
export function createPaymentAttempts(storage: () => AttemptStorage, newId: () => string): PaymentAttempts {
  /** Unsettled attempts. */
  let kept = load(storage);
  /** Ids that a button of this page waits for now: another button with the same payment is another payment. */
  const waiting = new Set<string>();

  function save(): void {
    try {
      if (kept[0]) storage().setItem(ATTEMPTS_KEY, kept.map(({ id, at, key }) => `${id} ${at} ${key}`).join('\n'));
      else storage().removeItem(ATTEMPTS_KEY);
    } catch {
      // Storage full or forbidden: the ids then last as long as the page.
    }
  }

  return {
    begin(options, automatic) {
      const key = (automatic ? 'automatic ' : '') + JSON.stringify({ ...options, label: undefined });
      const left = kept.find((one) => one.key === key && !waiting.has(one.id) && isFresh(one));
      const id = left?.id ?? newId();
      waiting.add(id);
      if (!left) kept.push({ id, key, at: Date.now() });
      save();
      return { id, again: !!left };
    },
    end({ id, again }, error) {
      waiting.delete(id);
      // One that is not final says nothing of an earlier request with this id.
      if (error && (error.moved !== 'no' || (again && !error.final))) return;
      kept = kept.filter((one) => one.id !== id);
      save();
    },
  };
}

function isFresh({ at }: Pick<Kept, 'at'>): boolean {
  return Date.now() - at < KEPT;
}

/**
 * What an earlier load of the page left, as far as it can be read: the page may have written anything there. Lines, not
 * JSON: pages with old libraries give arrays a `toJSON` that quotes them twice.
 */
function load(storage: () => AttemptStorage): Kept[] {
  try {
    return [
      ...storage()
        .getItem(ATTEMPTS_KEY)!
        .matchAll(/^([\w-]{8,64}) (\d+) (.+)$/gm),
    ]
      .map(([, id, at, key]) => ({ id: id!, at: Number(at), key: key! }))
      .filter(isFresh);
  } catch {
    return []; // Nothing of ours, or no storage.
  }
}
