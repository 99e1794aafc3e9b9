/** Creates payment URIs, which phone wallets read from a QR code. */

/**
 * Returns `bitcoin:<address>?sv&amount=<BSV>&label=<label>`: BIP 21, with an empty `sv` parameter to identify BSV.
 * @param bsv a decimal string; null if the payer enters the amount
 * @param label any string
 */
export function paymentUri(address: string, bsv: string | null, label: string): string {
  const parameters = [
    'sv',
    ...(bsv ? [`amount=${bsv}`] : []),
    ...(label ? [`label=${encodeURIComponent(label.toWellFormed())}`] : []),
  ];
  return `bitcoin:${address}?${parameters.join('&')}`;
}

/**
 * Converts a decimal string to BSV, rounded half up. Null if the price is malformed or the amount is below one satoshi.
 * @param price the price of one BSV, a decimal string
 */
export function inBsv(amount: string, price: string): string | null {
  const [a, p] = [amount, price].map((text) =>
    /^\d{1,18}(?:\.\d{1,18})?$/.test(text) ? (text.split('.') as [string, string?]) : null,
  );
  if (!a || !p) return null;
  const whole = ([units, fraction = '']: [string, string?]) => BigInt(units + fraction.padEnd(18, '0'));
  const divisor = whole(p);
  if (divisor === 0n) return null;
  const satoshis = (whole(a) * 200_000_000n + divisor) / (2n * divisor);
  if (satoshis === 0n) return null;
  const digits = satoshis.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '');
}
