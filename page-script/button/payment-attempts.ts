/**
 * Chooses the payment ID for a swipe. The wallet pays each ID only once. If a payment's outcome is unknown, repeating
 * its ID is safe, but a new ID could pay twice. IDs with an unknown outcome are kept in session storage so that they
 * survive reloads.
 */
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { readLines, writeLines, type LineStorage } from '../page/session-lines.ts';

export const ATTEMPTS_KEY = 'service-button/1 unsettled payments';
/** How long an ID with an unknown outcome is stored (milliseconds). A later swipe makes a new payment. */
const KEPT = 3_600_000;

export interface Attempt {
  id: string;
  /** True if an earlier attempt used this ID and its outcome is unknown. */
  again: boolean;
}

interface Kept {
  id: string;
  /** The serialized payment without its label, which may be a countdown. Equal payments have equal keys. */
  key: string;
  at: number;
}

export interface PaymentAttempts {
  /** Returns the ID for a swipe that requests `options`. */
  begin(options: PaymentOptions, automatic?: boolean): Attempt;
  /** Records the result of an attempt: an error, or success. */
  end(attempt: Attempt, error?: Pick<PaymentError, 'moved' | 'final'>): void;
}

/** @param storage returns the tab's storage; throws if the page has no access to it */
export function createPaymentAttempts(storage: () => LineStorage, newId: () => string): PaymentAttempts {
  let kept = readLines(storage, ATTEMPTS_KEY, /^([\w-]{8,64}) (\d+) (.+)$/gm)
    .map(([, id, at, key]): Kept => ({ id: id!, at: Number(at), key: key! }))
    .filter(isFresh);
  /** IDs of this page's attempts in progress. Another button with an equal payment uses a new ID. */
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
      // After a temporary error, an earlier request with this ID can still succeed.
      if (error && (error.moved !== 'no' || (again && !error.final))) {
        // A signed payment will be broadcast, possibly much later, so its ID must not expire.
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
