/** The notation of attributes, addresses and currencies. Wallet and parts check more. */

/** The attribute of an option: `data-on-payment` for `onPayment`. */
export function attributeOf(name: string): `data-${string}` {
  return `data-${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
}

/** Matches an address among valid texts for a recipient. Its checksum is checked by the part `help`. */
export const ADDRESS = /^[1mn][A-Za-z1-9]{24,35}$/;

/** True if the browser knows this currency. For others the wallet is queried before the button is shown. */
export function isFamiliar(currency: string): boolean {
  return currency === 'BSV' || Intl.supportedValuesOf('currency').includes(currency);
}
