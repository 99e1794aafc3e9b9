/**
 * Recognizes attributes, addresses and currencies by their notation. The wallet and the `help` part validate the
 * values.
 */

/** Returns the attribute of an option: `data-on-payment` for `onPayment`. */
export function attributeOf(name: string): `data-${string}` {
  return `data-${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
}

/** Distinguishes addresses from other valid recipients. The `help` part verifies the checksum. */
export const ADDRESS = /^[1mn][A-Za-z1-9]{24,35}$/;

/** True if the browser lists this currency. Otherwise, the wallet is queried before the button is shown. */
export function isFamiliar(currency: string): boolean {
  return currency === 'BSV' || Intl.supportedValuesOf('currency').includes(currency);
}
