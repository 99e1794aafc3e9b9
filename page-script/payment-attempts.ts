/**
 * Chooses the payment ID of a swipe. The wallet pays an ID once, so while the outcome of an attempt is unknown,
 * repeating the request with its ID is safe, and a new ID could pay twice.
 *
 * Unsettled IDs are kept in the tab's session storage, because after a lost connection people are asked to reload.
 */
import type { PaymentOptions } from '../protocol/payment.ts';
import type { PaymentError } from './payment-error.ts';

/** Name of the session storage entry. */
export const ATTEMPTS_KEY = 'service-button/1 unsettled payments';
/** Milliseconds after which an unsettled attempt expires, so that a swipe makes a new payment. */
const KEPT = 3_600_000;

/** One swipe's claim on an ID. */
export interface Attempt {
  id: string;
  /** The ID was used before, with an unknown outcome. */
  again: boolean;
}

interface Kept {
  id: string;
  /** The payment as text, without its label, which may be a countdown. Equal payments have equal keys. */
  key: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The part of Web Storage used here. */
export type AttemptStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Issues IDs and remembers the unsettled ones. */
export interface PaymentAttempts {
  /** Returns the ID for a swipe that requests `options`. */
  begin(options: PaymentOptions, automatic?: boolean): Attempt;
  /** Ends an attempt, with an error or successfully. */
  end(attempt: Attempt, error?: Pick<PaymentError, 'moved' | 'final'>): void;
}

/** @param storage of the tab; throws if the page can't use any */
export function createPaymentAttempts(storage: () => AttemptStorage, newId: () => string): PaymentAttempts {
  /** Unsettled attempts. */
  let kept = load(storage);
  /** IDs that a button of this page waits for. Another button with the same payment makes another payment. */
  const waiting = new Set<string>();

  function save(): void {
    try {
      if (kept[0]) storage().setItem(ATTEMPTS_KEY, kept.map(({ id, at, key }) => `${id} ${at} ${key}`).join('\n'));
      else storage().removeItem(ATTEMPTS_KEY);
    } catch {
      // Storage is full or forbidden, so the IDs last only as long as the page.
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
      // An error that isn't final leaves the outcome of an earlier request with this ID open.
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
 * Reads the attempts of an earlier page load, as far as they are valid: the page may have written anything there.
 * Lines, not JSON, because pages with old libraries add a `toJSON` to arrays that quotes them twice.
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
    return []; // Not our entry, or no storage.
  }
}
