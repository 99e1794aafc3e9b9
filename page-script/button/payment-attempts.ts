/**
 * Chooses the payment ID for a swipe. The wallet pays each ID only once. If a payment's outcome is unknown, repeating
 * its ID is safe, but a new ID could pay twice. IDs with an unknown outcome are kept in session storage so that they
 * survive reloads.
 */
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { createSessionLines, type LineStorage, type SessionLine } from '../page/session-lines.ts';

export const ATTEMPTS_KEY = 'service-button/1 unsettled payments';
/** How long an ID with an unknown outcome is stored (milliseconds). A later swipe makes a new payment. */
const KEPT = 3_600_000;

export interface Attempt {
  id: string;
  /** True if an earlier attempt used this ID and its outcome is unknown. */
  again: boolean;
}

export interface PaymentAttempts {
  /** Returns the ID for a swipe that requests `options`. */
  begin(options: PaymentOptions, automatic?: boolean): Attempt;
  /** Records the result of an attempt: an error, or success. */
  end(attempt: Attempt, error?: Pick<PaymentError, 'moved' | 'final'>): void;
}

/** @param storage returns the tab's storage; throws if the page has no access to it */
export function createPaymentAttempts(storage: () => LineStorage, newId: () => string): PaymentAttempts {
  /** The state is the time of the first request (milliseconds), or the maximum if the payment is signed. */
  const attempts = createSessionLines<SessionLine>(storage, ATTEMPTS_KEY, /^([\w-]{8,64}) (\d+) ([^\n]+)$/gm, ' ');
  for (const one of attempts.read()) if (!isFresh(one)) attempts.write(one.id);
  /** IDs of this page's attempts in progress. Another button with an equal payment uses a new ID. */
  const waiting = new Set<string>();

  return {
    begin(options, automatic) {
      // The label may be a countdown.
      const key = (automatic ? 'automatic ' : '') + JSON.stringify({ ...options, label: undefined });
      const left = attempts.read().find((one) => one.key === key && !waiting.has(one.id) && isFresh(one));
      const attempt = left ?? { id: newId(), key, state: `${Date.now()}` };
      waiting.add(attempt.id);
      attempts.write(attempt.id, attempt);
      return { id: attempt.id, again: !!left };
    },
    end({ id, again }, error) {
      waiting.delete(id);
      // After a temporary error, an earlier request with this ID can still succeed.
      if (!error || (error.moved === 'no' && (!again || error.final))) return void attempts.write(id);
      // A signed payment will be broadcast, possibly much later, so its ID must not expire.
      const signed = error.moved === 'yes' && attempts.read().find((one) => one.id === id);
      if (signed) attempts.write(id, { ...signed, state: `${Number.MAX_SAFE_INTEGER}` });
    },
  };
}

function isFresh({ state }: SessionLine): boolean {
  return Date.now() - Number(state) < KEPT;
}
