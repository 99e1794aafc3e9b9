/**
 * Normalizes amounts as written by people and programs. Doesn't import money.ts, which would add all error messages to
 * the button's script.
 */

/**
 * Converts an amount to the decimal string that money.ts requires: `.10` is `0.10`, `1.` is `1`, `01` is `1`, and the
 * number 1e-7 is `0.0000001`. Keeps trailing zeros, because prices such as `0.10` have them.
 * @returns null for anything else, such as a sign, an exponent in a string, a space, or more than 18 digits on either
 * side
 */
export function writtenAmount(given: string | number): string | null {
  // JavaScript formats small numbers with an exponent, or with many digits.
  const isSmall = typeof given === 'number' && (given < 1e-6 || `${given}`.length > 20);
  const text = isSmall ? given.toFixed(18).replace(/0+$/, '') : `${given}`;
  const [, whole, fraction] = /^0*(\d{0,18})(?:\.(\d{0,18}))?$/.exec(text) ?? [];
  if (whole === undefined || !/\d/.test(text)) return null;
  return (whole || '0') + (fraction ? `.${fraction}` : '');
}

/** Amounts with at least this many significant digits were computed with floats: 0.1 + 0.2 is 0.30000000000000004. */
const COMPUTED_DIGITS = 15;
/** Number of significant digits that aren't affected by floating-point errors. */
const SURE_DIGITS = 12;

/** Returns a currency's number of fraction digits: 8 for BSV, the maximum for longer codes and assets. */
function fractionDigitsOf(currency: string): number {
  if (currency === 'BSV') return 8;
  if (!/^[A-Z]{3}$/.test(currency)) return 18;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Formats `digits / 10^scale` with `kept` fraction digits, rounded half up. */
function roundedTo(digits: bigint, scale: number, kept: number): string {
  const unit = 10n ** BigInt(scale - kept);
  const text = ((digits + unit / 2n) / unit).toString().padStart(kept + 1, '0');
  return kept === 0 ? text : `${text.slice(0, -kept)}.${text.slice(-kept)}`;
}

/**
 * Removes the floating-point error of a computed price by rounding half up to its currency's digits. If rounding would
 * change the price by more than a tenth, keeps twelve significant digits instead. Amounts with fewer than fifteen
 * significant digits are unchanged.
 * @param amount a result of {@link writtenAmount}
 * @param currency three to five letters in upper case, or an asset
 */
export function roundedPrice(amount: string, currency: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const significant = (whole + fraction).replace(/^0+|0+$/g, '');
  if (significant.length < COMPUTED_DIGITS) return amount;
  const kept = fractionDigitsOf(currency);
  if (fraction.length <= kept) return amount;
  const [digits, scale] = [BigInt(whole + fraction), fraction.length];
  const rounded = roundedTo(digits, scale, kept);
  const change = digits - BigInt(rounded.replace('.', '')) * 10n ** BigInt(scale - kept);
  if ((change < 0n ? -change : change) * 10n <= digits) return rounded;
  const first = /[1-9]/.exec(fraction)?.index ?? 0;
  return roundedTo(digits, scale, Math.min(scale, first + SURE_DIGITS)).replace(/0+$/, '');
}
