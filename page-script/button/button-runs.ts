/** The payment that a button's state is about, and the page's memory of it. */
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { functionOf } from '../page/callbacks.ts';
import type { Configuration } from '../options/plain.ts';
import type { Item, PageItems } from '../page/page-items.ts';
import type { PaymentError } from '../wallet/payment-error.ts';

/** One swipe, or its remains from an earlier load of the page. */
export interface Run {
  payment: PaymentOptions;
  /** The callbacks for operation results and for the payment. */
  calls: readonly ReturnType<typeof functionOf>[];
  /** The remembered payment, or null if nothing is remembered. */
  item: Item | null;
}

/** Text that differs for every other payment. Labels and messages don't count. */
export function requestIn(configuration: Configuration | null): string | null {
  if (!configuration) return null;
  const { payment, options } = configuration;
  return JSON.stringify([{ ...payment, label: undefined }, options.devMode, options.editable]);
}

/** True for a payment that the service has to learn of, unlike one that only runs operations. */
export const isReported = ({ outputs, cryptoOperations }: PaymentOptions) => !!outputs[0] || !cryptoOperations;

/** The key of the button's payment among those of its page. */
export const itemKey = (configuration: Configuration) => configuration.pageRequest ?? requestIn(configuration)!;

/** Returns a run with the callbacks that exist now, even if the page removes them before the payment is made. */
export function runOf({ options }: Configuration, payment: PaymentOptions, item: Item | null): Run {
  return { payment, item, calls: [options.onCryptoOperations, options.onPayment].map(functionOf) };
}

export interface ButtonRuns {
  current: Run | null;
  /** Leaves its payment to the next button with the same request. */
  release(): void;
  /** Takes over the remains of the same payment. True if it was paid, unless the page allows it again. */
  claim(configuration: Configuration): boolean;
  /** Drops the memory of a payment that wasn't made; see {@link PageItems.forget}. */
  forget(run: Run, reason?: PaymentError): void;
  /** Leaves its payment to another button for a while. */
  setAway(is: boolean): void;
}

/** @param items of the page; undefined if nothing is remembered */
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
