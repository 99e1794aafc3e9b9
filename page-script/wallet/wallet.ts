/** The button's interface to the wallet: presence, costs and payments. */
import type { PageParams, PageRates, PageResults } from '../../protocol/messages/page-messages.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { createPageItems, type PageItems } from '../page/page-items.ts';
import { createPaymentAttempts, type Attempt } from '../button/payment-attempts.ts';
import { isRequestFault, PaymentError, paymentError } from './payment-error.ts';
import { createWalletClient, randomId, type SendRequest } from './wallet-client.ts';
import { createWalletPresence, type Presence } from './wallet-presence.ts';

export type Paid = PageResults['payment/request'];

export type RequestedAllowance = Pick<
  PageParams<'payment/request'>,
  'suggestedAmount' | 'minimumAmount' | 'permission'
>;

/** The wallet as used by buttons (see {@link connectWallet}). */
export interface Wallet {
  /** Calls `watcher` immediately and on every change, until the returned function is called. */
  watch(watcher: (presence: Presence) => void): () => void;
  /** Requests a payment. The user's decision in the wallet can take minutes. @throws PaymentError from the wallet */
  pay(options: PaymentOptions): Promise<Paid>;
  /**
   * Requests a payment. Returns the payment's ID and outcome.
   * @param automatic if set, pays from the allowance for this site and client, and suggests an allowance if the user is
   * prompted
   */
  begin(options: PaymentOptions, automatic?: RequestedAllowance): [id: string, paid: Promise<Paid>];
  /** Waits for the outcome of a payment. @param known the error code that the page already has @throws PaymentError */
  outcome(id: string, known?: string): Promise<Paid>;
  /** The stored payments of the page's buttons, if storing is possible. */
  items?: PageItems;
  /** Returns the request of {@link Wallet.pay}, without the payment ID. */
  request(options: PaymentOptions): Pick<PageParams<'payment/request'>, 'options' | 'service'>;
  /** Returns the wallet's network, undefined if unknown. */
  network(): string | undefined;
  /**
   * Returns the data for calculating the cost of a payment in `currency`, cached for a minute.
   * @throws PaymentError `invalid-currency` and others
   */
  rates(currency: string): Promise<PageRates>;
  /** Sends any other request. @throws PaymentError */
  ask: SendRequest;
}

/** How long rates are cached, in milliseconds. */
const RATES_KEPT = 60_000;

/**
 * Connects to the wallet through the relay in this window. Doesn't post anything until the first request.
 * @param service origin of the service for payment reports and user IDs, if known
 */
export function connectWallet(window: Window, service: string | null = null): Wallet {
  const ask = createWalletClient(
    window,
    () => presence.announce(),
    () => presence.heard(),
  );
  const presence = createWalletPresence(() => ask('wallet/hello', {}));
  const attempts = createPaymentAttempts(() => window.sessionStorage, randomId);
  const rates = new Map<string, { until: number; answer: Promise<PageRates> }>();

  const request = (options: PaymentOptions) => ({ options, ...(service && { service }) });

  async function settle(attempt: Attempt, options: PaymentOptions | null, asked: Promise<Paid>): Promise<Paid> {
    try {
      const paid = await asked;
      if (options?.outputs[0] !== undefined && typeof paid.payment?.id !== 'string') throw paymentError();
      attempts.end(attempt);
      return paid;
    } catch (cause) {
      const error = cause instanceof PaymentError ? cause : paymentError();
      // An older wallet may not support the method, so the outcome remains unknown.
      attempts.end(attempt, options || !isRequestFault(error) ? error : { moved: 'unknown', final: false });
      throw error;
    }
  }

  const begin: Wallet['begin'] = (options, automatic) => {
    const attempt = attempts.begin(options, !!automatic);
    const asked = ask('payment/request', {
      id: attempt.id,
      ...request(options),
      ...(automatic && { automatic: true, ...automatic }),
    });
    return [attempt.id, settle(attempt, options, asked)];
  };
  const outcome: Wallet['outcome'] = (id, known) =>
    settle({ id, again: true }, null, ask('payment/outcome', { id, ...(known !== undefined && { known }) }));
  const items = createPageItems(() => window.sessionStorage, window.location, { pay: begin, outcome });

  /** Replaces another service's user ID with the paymail, because the same ID could belong to a different user here. */
  function withoutOthersId(answer: PageRates): PageRates {
    const { payer } = answer;
    return service && payer?.service && payer.service !== service
      ? { ...answer, payer: { ...payer, userId: payer.paymail } }
      : answer;
  }

  return {
    ...presence,
    pay: async (options) => begin(options)[1],
    begin,
    outcome,
    items,
    request,
    rates(currency) {
      const now = Date.now();
      let kept = rates.get(currency);
      if (!kept || kept.until <= now) {
        kept = { until: now + RATES_KEPT, answer: ask('rates/read', { currency }).then(withoutOthersId) };
        rates.set(currency, kept);
        kept.answer.catch(() => rates.delete(currency));
      }
      return kept.answer;
    },
    ask,
  };
}
