import { MISSING_FUNCTION } from '../../protocol/errors/page-side-errors.ts';
import type { Callback } from '../options/button-options.ts';
import type { SettledOptions } from '../options/rules.ts';
import { PaymentError } from '../wallet/payment-error.ts';

/** A function that fires an event of `<service-button>` and calls the callback `named`. */
export type CallbackWrapper = { named?: unknown };

/**
 * Returns a callback's function, bound to its `this`, or undefined. The callback is a function or its name. Names are
 * looked up on the window. `shop.paid` is called with `shop` as `this`.
 */
export function functionOf(callback: unknown): ((...given: unknown[]) => unknown) | undefined {
  let self: unknown = window;
  try {
    const found =
      typeof callback === 'string'
        ? callback
            .split('.')
            .reduce<unknown>((from, name) => ((self = from) as Record<string, unknown>)[name.trim()], window)
        : callback;
    // Uses `Reflect`, because the page's function might define its own `apply`.
    if (typeof found === 'function') return (...given) => Reflect.apply(found, self, given);
  } catch {
    // A part of the name is undefined, or one of the page's getters threw.
  }
  return undefined;
}

/** Calls one of the page's functions, if defined (specification, section 6). Its errors don't affect the payment. */
export function run(found: ReturnType<typeof functionOf>, ...given: unknown[]): void {
  try {
    found?.(...given);
  } catch (error) {
    // Treats the error as uncaught so that the page's own error handler and the console receive it.
    reportError(error);
  }
}

/**
 * Calls a callback (see {@link run}). Warns if the named function doesn't exist.
 * @param option the option's name
 * @param element the button's element or null, both for the warning
 */
export function callBack<A extends unknown[]>(
  callback: Callback<A> | null | undefined,
  option: string,
  element: Element | null,
  ...given: A
): void {
  if (!callback) return;
  const found = functionOf(callback);
  if (found) return run(found, ...given);
  const name = String(callback);
  console.warn(
    `[service-button] ${option}="${name}": the window has no such function. Write the name of one, or publish it: window.${name} = … (const, let and modules publish nothing).`,
    ...(element ? [element] : []),
  );
}

/** Returns the name in a callback if the window currently has no function with that name. */
export function lostName(callback: unknown): string | undefined {
  const name = (callback as CallbackWrapper | null)?.named ?? callback;
  return name && !functionOf(name) ? (name as string) : undefined;
}

/** Returns an error if a named callback doesn't exist, because the page couldn't be notified. Checked before paying. */
export function lostCallback({ onPayment, onCryptoOperations }: Partial<SettledOptions>): PaymentError | undefined {
  const name = lostName(onPayment) ?? lostName(onCryptoOperations);
  return name
    ? new PaymentError('missing-function', `The function ${name} is missing. No money has moved.`, MISSING_FUNCTION)
    : undefined;
}
