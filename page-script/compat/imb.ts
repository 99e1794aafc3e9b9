/** Makes automatic payments ("invisible" button) from an allowance that the user granted to this site and client. */
import type { Imb, ImbOptions, Money } from '../api.ts';
import { NO_WALLET } from '../../protocol/errors/page-side-errors.ts';
import { callBack, lostCallback } from '../page/callbacks.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { configure } from '../options/configuration.ts';
import { readFields } from '../options/read.ts';
import { RULES, type Rule } from '../options/rules.ts';
import { withCodes } from '../options/unclear-currency.ts';
import { outcomeAfter } from '../button/outcome.ts';
import { isRequestFault, PaymentError } from '../wallet/payment-error.ts';
import type { Paid, RequestedAllowance, Wallet } from '../wallet/wallet.ts';

type RequestedAmounts = Pick<RequestedAllowance, 'suggestedAmount' | 'minimumAmount'>;
/** Rules for the options of `IMB`, except the amounts and the callback. */
const OWN_RULES: { readonly [K in 'clientIdentifier' | 'permission']: Rule } = {
  clientIdentifier: RULES.clientIdentifier,
  permission: { type: 'text', default: null, most: 100 },
};
const MONEY_RULES = { amount: RULES.amount, currency: { ...RULES.currency, default: null } };

/** Converts an allowance's amounts to the wallet's format. @throws ConfigurationError */
function readAmounts(given: { readonly [K in keyof RequestedAmounts]: Money | null | undefined }): RequestedAmounts {
  const amounts: RequestedAmounts = {};
  for (const name of ['suggestedAmount', 'minimumAmount'] as const) {
    if (!given[name]) continue;
    const { amount, currency } = readFields<Record<keyof Money, string | null>>(
      given[name],
      MONEY_RULES,
      (field) => `${name}.${field}`,
    );
    if (!amount || !currency)
      throw new ConfigurationError(
        amount ? 'missing-currency' : 'missing-amount',
        `${name}.${amount ? 'currency' : 'amount'} is missing: write ${name}: { amount: "${amount ?? '0.10'}", currency: "${currency ?? 'USD'}" }.`,
      );
    amounts[name] = { amount, currency };
  }
  return amounts;
}

/** IDs of payments already reported to the page's callbacks. */
const reported = new Set<string>();

/** Waits until a wallet is found. @throws PaymentError `no-wallet` */
function found(wallet: Wallet): Promise<Wallet> {
  return new Promise((resolve, reject) => {
    const leave = wallet.watch((presence) => {
      if (presence === 'present') resolve(wallet);
      if (presence === 'absent') reject(new PaymentError('no-wallet', NO_WALLET.message, NO_WALLET));
      if (presence !== 'unknown') queueMicrotask(() => leave());
    });
  });
}

/** Returns the `serviceButton.IMB` class for a window. */
export function imbClass(wallet: () => Wallet): new (options: ImbOptions) => Imb {
  return class IMB implements Imb {
    readonly #client: string;
    readonly #amounts: RequestedAmounts;
    readonly #onNewPermissionGranted: ImbOptions['onNewPermissionGranted'];
    /** The token of the latest allowance. */
    #permission: string | null;

    constructor(given: ImbOptions) {
      const { clientIdentifier, permission } = readFields<Record<keyof typeof OWN_RULES, string | null>>(
        given,
        OWN_RULES,
        (name) => name,
      );
      if (!clientIdentifier)
        throw new ConfigurationError(
          'invalid-option',
          'clientIdentifier is missing: write the one that your application’s page shows, clientIdentifier: "…".',
        );
      this.#client = clientIdentifier;
      this.#permission = permission;
      this.#amounts = readAmounts(given);
      this.#onNewPermissionGranted = given.onNewPermissionGranted;
    }

    async swipe(given: Parameters<Imb['swipe']>[0]) {
      const { payment, options } = configure({ ...given, editable: false, clientIdentifier: this.#client }, true);
      // Tokens are never paid automatically, so any name that could be a currency code is treated as a currency code.
      withCodes(payment, () => true);
      const { onCryptoOperations, onPayment, onError, devMode } = options;
      if (devMode || (!payment.outputs[0] && !payment.cryptoOperations)) return { payment: null, cryptoOperations: [] };
      const report = ({ token, ...paid }: Paid, id: string) => {
        if (token) this.#granted(token);
        // A call and a repeated call can wait for the same payment.
        if (!reported.has(id)) {
          reported.add(id);
          if (payment.cryptoOperations) callBack(onCryptoOperations, 'onCryptoOperations', null, paid.cryptoOperations);
          if (paid.payment) callBack(onPayment, 'onPayment', null, paid.payment);
        }
        return paid;
      };
      try {
        const lost = lostCallback(options);
        if (lost) throw lost;
        const there = await found(wallet());
        const [id, paid] = there.begin(payment, {
          ...this.#amounts,
          ...(this.#permission && { permission: this.#permission }),
        });
        // Without a callback, a late outcome can be returned only by a repeated call, which uses the same ID.
        if (onPayment ?? onCryptoOperations)
          paid.catch((error: PaymentError) => error.moved !== 'no' && this.#follow(id, error, there, report));
        return report(await paid, id);
      } catch (error) {
        if (!isRequestFault(error as PaymentError)) callBack(onError, 'onError', null, error as PaymentError);
        throw error;
      }
    }

    /** Reports a payment that the wallet confirms after the call has returned. */
    #follow(id: string, before: PaymentError, { outcome }: Wallet, report: (paid: Paid, id: string) => unknown): void {
      outcomeAfter(before, (known) => outcome(id, known)).then(
        (paid) => report(paid, id),
        () => {}, // The payment wasn't made, or its outcome can't be determined.
      );
    }

    async amountLeft() {
      return (await found(wallet())).ask('allowance/left', { clientIdentifier: this.#client });
    }

    async askForPermission(given?: Parameters<Imb['askForPermission']>[0]) {
      const amounts = readAmounts({ ...given });
      const { token } = await (
        await found(wallet())
      ).ask('allowance/ask', {
        clientIdentifier: this.#client,
        ...this.#amounts,
        ...amounts,
      });
      this.#granted(token);
      return token;
    }

    #granted(token: string): void {
      this.#permission = token;
      callBack(this.#onNewPermissionGranted, 'onNewPermissionGranted', null, token);
    }
  };
}
