/**
 * Names like `gold` that the browser doesn't know as a currency. They are an asset's alias, unless the wallet has a
 * rate for them. The readers leave them in lower case.
 */
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import type { Wallet } from '../wallet/wallet.ts';

/** Names already queried at the wallet, true for a currency code. */
const known = new Map<string, boolean>();

export function withCodes<P extends PaymentOptions>(payment: P, isCode: (name: string) => boolean): P {
  for (const output of payment.outputs) {
    if (/^[a-z]{3,5}$/.test(output.currency) && isCode(output.currency))
      output.currency = output.currency.toUpperCase();
  }
  return payment;
}

/**
 * Converts names that the wallet knows as currency codes to upper case.
 * @returns a function that queries the wallet about the next name, after which `clarify` must be called again; null if
 * all names are known
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
        // The failure may be temporary, so it is remembered only while the options are being read.
        if (code !== 'invalid-currency') setTimeout(() => known.delete(name));
      },
    );
}
