/** Money without floats: decimal strings on the wire, bigint satoshis in code, exact rationals for conversions. */
import { ServiceError } from '../errors/service-error.ts';

export const SATOSHIS_PER_BSV = 100_000_000n;

/** The maximum supply in satoshis (21 million BSV). No value on the chain exceeds it. */
export const MAX_SATOSHIS = 21_000_000n * SATOSHIS_PER_BSV;

/** An exact decimal number: `units / 10^scale`. Never negative. */
export interface Decimal {
  units: bigint;
  scale: number;
}

const DECIMAL = /^(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;

/**
 * Parses a decimal number: digits, optionally a point and digits, at most 18 on each side. No sign, exponent, space,
 * leading zero or thousands separator.
 * @throws ServiceError `invalid-amount`
 */
export function parseDecimal(text: string): Decimal {
  if (!DECIMAL.test(text)) throw new ServiceError('invalid-amount');
  const [whole = '', fraction = ''] = text.split('.');
  return { units: BigInt(whole + fraction), scale: fraction.length };
}

/** Divides and rounds half up. `n` must be non-negative, and `d` positive. */
function divideHalfUp(n: bigint, d: bigint): bigint {
  return (2n * n + d) / (2n * d);
}

/** Syntax of a currency code: three letters (ISO 4217), up to five for other units with a rate, such as `SATS`. */
export const CURRENCY_CODE = /^[A-Z]{3,5}$/;

/** True for a string that could be a currency code, fiat or cryptocurrency. */
export function isCurrencyCode(text: string): boolean {
  return CURRENCY_CODE.test(text);
}

/**
 * Converts an amount to satoshis, rounded half up. Both parameters are decimal strings.
 * @param price the price of one BSV
 * @throws ServiceError `invalid-amount` (malformed, zero, over 21 million BSV), `amount-too-small` (under one satoshi),
 * `rate-unavailable` (price malformed or zero)
 */
export function toSatoshis(amount: string, price: string): bigint {
  const a = parseDecimal(amount);
  if (a.units === 0n) throw new ServiceError('invalid-amount');
  const p = parsePrice(price);
  // a.units/10^a.scale * 10^8 / (p.units/10^p.scale)
  const n = a.units * SATOSHIS_PER_BSV * 10n ** BigInt(p.scale);
  const d = p.units * 10n ** BigInt(a.scale);
  if (n < d) throw new ServiceError('amount-too-small');
  const satoshis = divideHalfUp(n, d);
  if (satoshis > MAX_SATOSHIS)
    throw new ServiceError('invalid-amount', { message: 'The amount is more than the total supply.' });
  return satoshis;
}

/**
 * Returns the maximum number of satoshis that a fiat allowance can ever spend: 1.5 times its value when it is granted,
 * rounded down.
 * @param price the price of one BSV
 * @throws ServiceError `invalid-amount`, `rate-unavailable` (price malformed or zero)
 */
export function ceilingSatoshis(amount: string, price: string): bigint {
  const a = parseDecimal(amount);
  const p = parsePrice(price);
  const satoshis = (3n * a.units * SATOSHIS_PER_BSV * 10n ** BigInt(p.scale)) / (2n * p.units * 10n ** BigInt(a.scale));
  return satoshis > MAX_SATOSHIS ? MAX_SATOSHIS : satoshis;
}

/** Converts satoshis to a decimal string, rounded half up to `fractionDigits`. @param price the price of one BSV */
export function fromSatoshis(satoshis: bigint, price: string, fractionDigits: number): string {
  const p = parsePrice(price);
  const units = divideHalfUp(
    satoshis * p.units * 10n ** BigInt(fractionDigits),
    SATOSHIS_PER_BSV * 10n ** BigInt(p.scale),
  );
  return decimalText(units, fractionDigits);
}

function parsePrice(price: string): Decimal {
  if (!DECIMAL.test(price)) throw new ServiceError('rate-unavailable', { detail: 'malformed price' });
  const p = parseDecimal(price);
  if (p.units === 0n) throw new ServiceError('rate-unavailable', { detail: 'price of zero' });
  return p;
}

/**
 * Converts a price from another service's JSON (a number or a string) to a decimal string. Returns null unless the
 * value is a positive decimal. Rejects numbers that need an exponent.
 */
export function priceText(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && DECIMAL.test(text) && parseDecimal(text).units > 0n ? text : null;
}

/** Formats `units / 10^scale` with exactly `scale` digits after the point. */
export function decimalText(units: bigint, scale: number): string {
  const digits = units.toString().padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Formats satoshis as BSV without trailing zeros: `150000000n` is `'1.5'`. */
export function satoshisToBsv(satoshis: bigint): string {
  return decimalText(satoshis, 8).replace(/\.?0+$/, '');
}

/** Adds decimal strings exactly. @throws ServiceError `invalid-amount` */
export function addDecimals(amounts: readonly string[]): string {
  const parsed = amounts.map(parseDecimal);
  const scale = parsed.reduce((most, d) => Math.max(most, d.scale), 0);
  return decimalText(
    parsed.reduce((sum, d) => sum + d.units * 10n ** BigInt(scale - d.scale), 0n),
    scale,
  );
}
