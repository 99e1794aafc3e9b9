/** All that a button needs of the wallet: is it there, and pay. */
import type { Payment, PaymentOptions } from '../protocol/payment.ts';
import { PaymentAttempts, type AttemptStorage } from './payment-attempts.ts';
import { PaymentError, paymentError } from './payment-error.ts';
import { randomId, WalletClient } from './wallet-client.ts';
import { WalletPresence, type Presence } from './wallet-presence.ts';

/** See {@link connectWallet}. */
export interface Wallet {
  /** Calls `watcher` now and on every change, until the returned function is called. */
  watch(watcher: (presence: Presence) => void): () => void;
  /**
   * Asks for one payment; the user decides in the wallet, which may take minutes.
   * @throws PaymentError the wallet's
   */
  pay(options: PaymentOptions): Promise<Payment>;
}

function sessionStorageOf(window: Window): AttemptStorage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null; // A sandboxed page has none.
  }
}

/** The wallet behind this window's relay. Nothing is posted before the first watcher or payment. */
export function connectWallet(window: Window): Wallet {
  const client = new WalletClient(window, () => presence.announce());
  const presence = new WalletPresence(() => client.request('wallet/hello', {}));
  const attempts = new PaymentAttempts(sessionStorageOf(window), randomId);

  return {
    watch: (watcher) => presence.watch(watcher),
    async pay(options) {
      const attempt = attempts.begin(options);
      try {
        const { payment } = await client.request('payment/request', { id: attempt.id, options });
        if (typeof payment?.id !== 'string') throw paymentError(null, null);
        attempts.end(attempt);
        return payment;
      } catch (cause) {
        const error = cause instanceof PaymentError ? cause : paymentError(null, null);
        attempts.end(attempt, error.code);
        throw error;
      }
    },
  };
}
