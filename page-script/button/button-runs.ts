/** Tracks the payment that a button's state refers to, and claims its stored record after a reload. */
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { functionOf } from '../page/callbacks.ts';
import type { Configuration } from '../options/plain.ts';
import type { Item, PageItems } from '../page/page-items.ts';
import type { PaymentError } from '../wallet/payment-error.ts';

/** A swipe's payment, made on this page or restored from session storage after a reload. */
export interface Run {
  payment: PaymentOptions;
  /** The callbacks for operation results and for the payment. */
  calls: readonly ReturnType<typeof functionOf>[];
  /** The stored record of the payment, or null if none is stored. */
  item: Item | null;
}

/** Serializes the request without labels or messages so that payments can be compared. */
export function requestIn(configuration: Configuration | null): string | null {
  if (!configuration) return null;
  const { payment, options } = configuration;
  return JSON.stringify([{ ...payment, label: undefined }, options.devMode, options.editable]);
}

/** True for a payment that must be reported to the service. False if it only runs crypto operations. */
export const isReported = ({ outputs, cryptoOperations }: PaymentOptions) => !!outputs[0] || !cryptoOperations;

/** Returns the key that identifies the button's payment among the payments of its page. */
export const itemKey = (configuration: Configuration) => configuration.pageRequest ?? requestIn(configuration)!;

/** Creates a run. Stores the current callbacks, because the page may remove them before the payment is made. */
export function runOf({ options }: Configuration, payment: PaymentOptions, item: Item | null): Run {
  return { payment, item, calls: [options.onCryptoOperations, options.onPayment].map(functionOf) };
}

export interface ButtonRuns {
  current: Run | null;
  /** Releases the payment so that another button with the same request can claim it. */
  release(): void;
  /** Claims the stored record of the same payment. Returns true if the payment was made and can't be repeated. */
  claim(configuration: Configuration): boolean;
  /** Deletes the record of a payment that wasn't made (see {@link PageItems.forget}). */
  forget(run: Run, reason?: PaymentError): void;
  /** Pass true to let another button claim the payment. */
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
      const isPaid = item.state === 'paid';
      if (!isPaid || !configuration.options.repeatable) return isPaid;
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
