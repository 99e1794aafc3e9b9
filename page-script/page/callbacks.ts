import { MISSING_FUNCTION } from '../../protocol/errors/page-side-errors.ts';
import type { Callback } from '../options/button-options.ts';
import type { SettledOptions } from '../options/rules.ts';
import { PaymentError } from '../wallet/payment-error.ts';

/** A function that calls the one that its author named. `<service-button>` uses it to fire its event as well. */
export type Stand = { named?: unknown };

/**
 * The function that a callback is or names, with its `this`; undefined if there is none. A name is looked up in the
 * window, part by part: `shop.paid` gets `shop` as `this`.
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
    // `Reflect`, because a page may have given its function its own `call`.
    if (typeof found === 'function') return (...given) => Reflect.apply(found, self, given);
  } catch {
    // Part of the name isn't there, or a getter of the page threw.
  }
  return undefined;
}

/** Calls a function of the page, if there is one (specification, section 6). Its errors do not affect the payment. */
export function run(found: ReturnType<typeof functionOf>, ...given: unknown[]): void {
  try {
    found?.(...given);
  } catch (error) {
    // As if it were uncaught, so that the page's own error handling and the console see it.
    reportError(error);
  }
}

/**
 * Calls a callback, see {@link run}. Warns if it names no function.
 * @param option the option's name, and @param element its element or null, for the warning
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

/** A callback's function name, if the window has no such function now. */
export function lostName(callback: unknown): string | undefined {
  const name = (callback as Stand | null)?.named ?? callback;
  return name && !functionOf(name) ? (name as string) : undefined;
}

/** The error of a request whose outcome couldn't be reported to the page. Checked before money moves. */
export function lostCallback({ onPayment, onCryptoOperations }: Partial<SettledOptions>): PaymentError | undefined {
  const name = lostName(onPayment) ?? lostName(onCryptoOperations);
  return name
    ? new PaymentError('missing-function', `The function ${name} is missing. No money has moved.`, MISSING_FUNCTION)
    : undefined;
}
