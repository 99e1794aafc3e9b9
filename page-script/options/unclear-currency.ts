/**
 * Clarifies names such as `gold`, which the browser doesn't list as a currency. If the wallet has a rate, the name is a
 * currency code, otherwise an asset's alias. The option readers leave such names in lower case.
 */
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import type { Wallet } from '../wallet/wallet.ts';

/** The wallet's past classifications of names: true if the name is a currency code. */
const known = new Map<string, boolean>();

export function withCodes<P extends PaymentOptions>(payment: P, isCode: (name: string) => boolean): P {
  for (const output of payment.outputs) {
    if (/^[a-z]{3,5}$/.test(output.currency) && isCode(output.currency))
      output.currency = output.currency.toUpperCase();
  }
  return payment;
}

/**
 * Converts names to upper case if they are currency codes according to the wallet.
 * @returns null if all names are clear; otherwise, a function that asks the wallet about the next name, after which
 * `clarify` must be called again
 */
export function clarify(payment: PaymentOptions): ((rates: Wallet['rates']) => Promise<unknown>) | null {
  let unclear: string | undefined;
  withCodes(payment, (name) => {
    if (!known.has(name)) unclear ??= name;
    return known.get(name) === true;
  });
  const name = unclear;
  if (name === undefined) return null;
  return (rates) =>
    rates(name.toUpperCase()).then(
      () => known.set(name, true),
      ({ code }: PaymentError) => {
        known.set(name, code !== 'invalid-currency');
        // Other failures may be temporary, so the name is forgotten after the options have been read again.
        if (code !== 'invalid-currency') setTimeout(() => known.delete(name));
      },
    );
}
