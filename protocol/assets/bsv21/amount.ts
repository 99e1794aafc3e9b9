/** Converts token amounts to and from decimal strings. The token's mint sets the number of decimals. */
import { MAX_TOKEN_AMOUNT } from './token.ts';

/** Formats smallest units as a decimal string without trailing zeros: 1250 units with 2 decimals are `12.5`. */
export function writeTokenDecimal(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}

/**
 * Parses a decimal string into smallest units. Returns null if the string is malformed, out of range or has too many
 * decimals.
 */
export function readTokenDecimal(text: string, decimals: number): bigint | null {
  const [, whole, rest = ''] = /^(\d{1,20})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (whole === undefined || rest.length > decimals) return null;
  const units = BigInt(whole + rest.padEnd(decimals, '0'));
  return units > 0n && units <= MAX_TOKEN_AMOUNT ? units : null;
}
