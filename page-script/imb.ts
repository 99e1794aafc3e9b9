/** Automatic payments, the "invisible" button: paid from an allowance that the user gave this site and client. */
import type { Imb, ImbOptions, Money } from './api.ts';
import { ConfigurationError } from './configuration-error.ts';
import { configure } from './options/configuration.ts';
import type { Wallet } from './wallet.ts';

/** As the wallet takes it; what is wrong with it the wallet says. */
function textual(money: Money | null | undefined): { amount: string; currency: string } | undefined {
  return money ? { amount: `${money.amount}`, currency: money.currency } : undefined;
}

/** The class `serviceButton.IMB` of one window. */
export function imbClass(wallet: () => Wallet): new (options: ImbOptions) => Imb {
  return class IMB implements Imb {
    readonly #given: ImbOptions;

    constructor(given: ImbOptions) {
      this.#given = { ...given };
      if (!this.#given.clientIdentifier) throw new ConfigurationError('invalid-option', 'clientIdentifier is missing.');
    }

    async swipe(given: Parameters<Imb['swipe']>[0]) {
      const { payment, options } = configure({ ...given, editable: false, clientIdentifier: this.#given.clientIdentifier });
      if (options.devMode) return { payment: null, cryptoOperations: [] };
      await wallet().found();
      const { token, ...paid } = await wallet().pay(payment, true);
      if (token) this.#given.onNewPermissionGranted?.(token);
      return paid;
    }

    async amountLeft() {
      await wallet().found();
      return wallet().ask('allowance/left', { clientIdentifier: this.#given.clientIdentifier });
    }

    async askForPermission(amounts?: Parameters<Imb['askForPermission']>[0]) {
      const { clientIdentifier, suggestedAmount, minimumAmount } = { ...this.#given, ...amounts };
      await wallet().found();
      const { token } = await wallet().ask('allowance/ask', { clientIdentifier, suggestedAmount: textual(suggestedAmount), minimumAmount: textual(minimumAmount) });
      this.#given.onNewPermissionGranted?.(token);
      return token;
    }
  };
}
