/**
 * Amounts as people and programs write them. Apart from money.ts, whose errors bring every text of the product along.
 */

/**
 * The decimal text of an amount, in the one form that money.ts reads: `.10` is `0.10`, `1.` is `1`, `01` is `1`, and
 * the number 1e-7 is `0.0000001`. Zeros at the end stay, since they are part of how a price is written.
 * @returns null for anything else: a sign, an exponent in text, a blank, more than 18 digits before or behind the point
 */
export function writtenAmount(given: string | number): string | null {
  // Smaller numbers have an exponent in JavaScript's own text; 18 digits behind the point are more than a double is
  // exact to there.
  const text = typeof given === 'number' && given < 1e-6 ? given.toFixed(18).replace(/0+$/, '') : `${given}`;
  const [, whole, fraction] = /^0*(\d{0,18})(?:\.(\d{0,18}))?$/.exec(text) ?? [];
  if (whole === undefined || !/\d/.test(text)) return null;
  return (whole || '0') + (fraction ? `.${fraction}` : '');
}
