/**
 * Three to five small letters that the browser knows for no currency's code (`gold`): an asset's alias, unless the wallet has
 * a rate for such a currency. Readers leave them in lower case.
 */
import type { PaymentOptions } from '../../protocol/payment.ts';
import type { PaymentError } from '../payment-error.ts';
import type { Wallet } from '../wallet.ts';

/** The names that the wallet was asked about: true for a currency's code. */
const known = new Map<string, boolean>();

/** The same payment, where these names are codes of currencies. */
export function withCodes<P extends PaymentOptions>(payment: P, isCode: (name: string) => boolean): P {
  for (const output of payment.outputs) {
    if (/^[a-z]{3,5}$/.test(output.currency) && isCode(output.currency))
      output.currency = output.currency.toUpperCase();
  }
  return payment;
}

/**
 * Writes codes in upper case, as far as the wallet was asked.
 * @returns what asks it about the next name, so that this can be done again; null where all is clear
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
        // What the wallet could not say now it may say later: this holds for the reading that waits for it.
        if (code !== 'invalid-currency') setTimeout(() => known.delete(name));
      },
    );
}
