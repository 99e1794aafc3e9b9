/** Token amounts as decimal text, with the decimals of the token's mint. */
import { MAX_TOKEN_AMOUNT } from './token.ts';

/** An amount in smallest units as decimal text, without zeros at its end: 1250 units of 2 decimals are `12.5`. */
export function writeTokenDecimal(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}

/** Smallest units, 1 to 2^64 - 1, of decimal text; null for anything else, and for more decimals than the token has. */
export function readTokenDecimal(text: string, decimals: number): bigint | null {
  const [, whole, rest = ''] = /^(\d{1,20})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (whole === undefined || rest.length > decimals) return null;
  const units = BigInt(whole + rest.padEnd(decimals, '0'));
  return units > 0n && units <= MAX_TOKEN_AMOUNT ? units : null;
}
