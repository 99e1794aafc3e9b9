/**
 * Three to five small letters that the browser knows for no currency's code (`gold`): an asset's alias, unless the wallet has
 * a rate for such a currency. Readers leave them in lower case.
 */
import type { PaymentOptions } from '../protocol/payment.ts';

/** Whether the browser itself knows this currency. For others the wallet is asked before the button is shown. */
export function isFamiliar(currency: string): boolean {
  return currency === 'BSV' || Intl.supportedValuesOf('currency').includes(currency);
}

/** A name of which only the wallet knows what it is, or undefined. */
export const unclearIn = ({ outputs }: PaymentOptions): string | undefined =>
  outputs.find(({ currency }) => /^[a-z]{3,5}$/.test(currency))?.currency;

/** The same payment, where these names are codes of currencies. */
export function withCodes<P extends PaymentOptions>(payment: P, isCode: (name: string) => boolean): P {
  for (const output of payment.outputs) {
    if (/^[a-z]{3,5}$/.test(output.currency) && isCode(output.currency))
      output.currency = output.currency.toUpperCase();
  }
  return payment;
}
