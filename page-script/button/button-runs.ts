/** The payment to which a button's state refers, and its record across reloads. */
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { functionOf } from '../page/callbacks.ts';
import type { Configuration } from '../options/plain.ts';
import type { Item, PageItems } from '../page/page-items.ts';
import type { PaymentError } from '../wallet/payment-error.ts';

/** One swipe, or what remains of it after a reload. */
export interface Run {
  payment: PaymentOptions;
  /** The callbacks for operation results and for the payment. */
  calls: readonly ReturnType<typeof functionOf>[];
  /** The stored record of the payment, or null if none is stored. */
  item: Item | null;
}

/** Serializes the request without labels and messages, to compare payments. */
export function requestIn(configuration: Configuration | null): string | null {
  if (!configuration) return null;
  const { payment, options } = configuration;
  return JSON.stringify([{ ...payment, label: undefined }, options.devMode, options.editable]);
}

/** True for a payment that must be reported to the service, unlike one that only runs crypto operations. */
export const isReported = ({ outputs, cryptoOperations }: PaymentOptions) => !!outputs[0] || !cryptoOperations;

/** Returns the key of the button's payment among those of its page. */
export const itemKey = (configuration: Configuration) => configuration.pageRequest ?? requestIn(configuration)!;

/** Creates a run. Stores the current callbacks, because the page may remove them before the payment is made. */
export function runOf({ options }: Configuration, payment: PaymentOptions, item: Item | null): Run {
  return { payment, item, calls: [options.onCryptoOperations, options.onPayment].map(functionOf) };
}

export interface ButtonRuns {
  current: Run | null;
  /** Releases the payment for the next button with the same request. */
  release(): void;
  /** Claims the stored record of the same payment. Returns true if it is paid, unless payments can be repeated. */
  claim(configuration: Configuration): boolean;
  /** Deletes the record of a payment that wasn't made, see {@link PageItems.forget}. */
  forget(run: Run, reason?: PaymentError): void;
  /** Releases the payment for another button while `is` is true. */
  setAway(is: boolean): void;
}

/** @param items the page's stored payments; undefined if none are stored */
export function createButtonRuns(items: () => PageItems | undefined): ButtonRuns {
  let isAway = false;
  const runs: ButtonRuns = {
    current: null,
    release() {
      if (runs.current?.item && !isAway) items()?.release(runs.current.item);
      runs.current = null;
    },
    claim(configuration) {
      const item = items()?.claim(itemKey(configuration));
      if (!item) return false;
      runs.current = runOf(configuration, configuration.payment, item);
      if (!item.isPaid || !configuration.options.repeatable) return item.isPaid;
      runs.forget(runs.current);
      runs.current = null;
      return false;
    },
    forget({ item }, reason) {
      if (item) items()?.forget(item, reason);
    },
    setAway(is) {
      isAway = is;
      if (runs.current?.item) items()?.[is ? 'release' : 'hold'](runs.current.item);
    },
  };
  return runs;
}
