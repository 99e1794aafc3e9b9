/** True if the browser knows this currency. For others the wallet is queried before the button is shown. */
export function isFamiliar(currency: string): boolean {
  return currency === 'BSV' || Intl.supportedValuesOf('currency').includes(currency);
}
