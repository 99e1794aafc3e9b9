/**
 * Chooses the payment ID of a swipe. The wallet pays an ID once, so after an unknown outcome the same ID is safe, and a
 * new one could pay twice. Unsettled IDs are kept in session storage, for reloads.
 */
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { readLines, writeLines, type LineStorage } from '../page/session-lines.ts';

export const ATTEMPTS_KEY = 'service-button/1 unsettled payments';
/** Milliseconds after which an unsettled attempt expires, so that a swipe makes a new payment. */
const KEPT = 3_600_000;

export interface Attempt {
  id: string;
  /** The ID was used before, with an unknown outcome. */
  again: boolean;
}

interface Kept {
  id: string;
  /** The payment as text, without its label, which may be a countdown. Equal payments have equal keys. */
  key: string;
  at: number;
}

export interface PaymentAttempts {
  /** Returns the ID for a swipe that requests `options`. */
  begin(options: PaymentOptions, automatic?: boolean): Attempt;
  /** Ends an attempt, with an error or successfully. */
  end(attempt: Attempt, error?: Pick<PaymentError, 'moved' | 'final'>): void;
}

/** @param storage of the tab; throws if the page can't use any */
export function createPaymentAttempts(storage: () => LineStorage, newId: () => string): PaymentAttempts {
  let kept = readLines(storage, ATTEMPTS_KEY, /^([\w-]{8,64}) (\d+) (.+)$/gm)
    .map(([, id, at, key]): Kept => ({ id: id!, at: Number(at), key: key! }))
    .filter(isFresh);
  /** IDs that a button of this page waits for. Another button with the same payment makes another payment. */
  const waiting = new Set<string>();

  const save = () =>
    writeLines(
      storage,
      ATTEMPTS_KEY,
      kept.map(({ id, at, key }) => `${id} ${at} ${key}`),
    );

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
      if (error && (error.moved !== 'no' || (again && !error.final))) {
        // A signed payment will be made, possibly much later.
        const signed = error.moved === 'yes' && kept.find((one) => one.id === id);
        if (signed) {
          signed.at = Number.MAX_SAFE_INTEGER;
          save();
        }
        return;
      }
      kept = kept.filter((one) => one.id !== id);
      save();
    },
  };
}

function isFresh({ at }: Pick<Kept, 'at'>): boolean {
  return Date.now() - at < KEPT;
}
