/**
 * What an allowance counts in: hundred-millionths of its currency, as whole numbers. For BSV that is the satoshi. A
 * finer step than the cent matters: payments of a fraction of a cent would each cost a whole one if every debit were
 * rounded up to cents, and a site that takes a thousand of them for ten cents would use ten dollars up. Every debit is
 * rounded up to this step, so what is counted is never less than what was spent.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import { decimalText, parseDecimal, type Decimal } from '../../../protocol/money.ts';

/** Digits behind the point that an allowance keeps. */
const DIGITS = 8;

/**
 * Decimal text as units.
 * @throws ServiceError `invalid-amount` (malformed, zero, more than eight digits behind the point)
 */
export function unitsOf(amount: string): bigint {
  const { units, scale } = parseDecimal(amount);
  if (scale > DIGITS || units === 0n) throw new ServiceError('invalid-amount');
  return units * 10n ** BigInt(DIGITS - scale);
}

/** Units as decimal text, without zeros at its end. */
export function amountOf(units: bigint): string {
  return decimalText(units, DIGITS).replace(/\.?0+$/, '');
}

function priceOf(text: string): Decimal {
  const price = parseDecimal(text);
  if (price.units === 0n) throw new ServiceError('rate-unavailable', { detail: 'price of zero' });
  return price;
}

/**
 * What satoshis cost in units, rounded up.
 * @param price decimal text: what one BSV costs in the currency
 */
export function unitsForSatoshis(satoshis: bigint, price: string): bigint {
  // One BSV is 10^8 satoshis and one currency 10^8 units: the two cancel out.
  const { units, scale } = priceOf(price);
  const whole = 10n ** BigInt(scale);
  return (satoshis * units + whole - 1n) / whole;
}

/** The satoshis that units buy, rounded down. */
export function satoshisForUnits(amount: bigint, price: string): bigint {
  const { units, scale } = priceOf(price);
  return (amount * 10n ** BigInt(scale)) / units;
}
