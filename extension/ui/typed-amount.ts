/** Amounts as people type them. */
import { parseDecimal } from '../../protocol/money.ts';

/** Digits behind the point that an amount keeps. */
const DIGITS = 8;

/**
 * A typed number as decimal text, or null. A comma counts as the point where two digits at most follow: never `1,000`.
 */
export function decimalOf(typed: string): string | null {
  const text = typed.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2');
  try {
    const { units, scale } = parseDecimal(text);
    return units > 0n && scale <= DIGITS ? text : null;
  } catch {
    return null;
  }
}
