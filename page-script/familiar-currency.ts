/** Whether the browser itself knows this currency. For others the wallet is asked before the button is shown. */
export function isFamiliar(currency: string): boolean {
  return currency === 'BSV' || Intl.supportedValuesOf('currency').includes(currency);
}
