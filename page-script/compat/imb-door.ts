/** Creates `serviceButton.IMB`, whose first instance loads the `options` part. */
import type { Imb, ImbOptions } from '../api.ts';
import { missingOptions, unknownService } from '../configuration-error.ts';
import { partLater, type OptionsPart } from '../page/parts.ts';
import type { Wallet } from '../wallet/wallet.ts';

/** Returns the `serviceButton.IMB` class for a window. Invalid options reject the first call. */
export function imbDoor(wallet: () => Wallet, isLost = false): new (options: ImbOptions) => Imb {
  return class IMB implements Imb {
    readonly #imb: Promise<Imb>;

    constructor(given: ImbOptions) {
      this.#imb = partLater<OptionsPart>('options').then((part) => {
        if (isLost) throw unknownService();
        if (!part) throw missingOptions();
        return new (part.imbClass(wallet))(given);
      });
      this.#imb.catch(() => {});
    }

    async swipe(options: Parameters<Imb['swipe']>[0]) {
      return (await this.#imb).swipe(options);
    }

    async amountLeft() {
      return (await this.#imb).amountLeft();
    }

    async askForPermission(amounts?: Parameters<Imb['askForPermission']>[0]) {
      return (await this.#imb).askForPermission(amounts);
    }
  };
}
