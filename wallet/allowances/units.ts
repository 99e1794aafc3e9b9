/**
 * The unit of an allowance: hundred-millionths of its currency, as whole numbers; for BSV the satoshi. Debits are
 * rounded up, so an allowance never counts less than was spent. In cents, a thousand payments of ten cents in total
 * would cost ten dollars.
 */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { decimalText, parseDecimal, type Decimal } from '../../protocol/money/money.ts';

/** Decimal digits that an allowance keeps. */
const DIGITS = 8;

/** Decimal text as units. @throws ServiceError `invalid-amount` (malformed, zero, more than eight decimals) */
export function unitsOf(amount: string): bigint {
  const { units, scale } = parseDecimal(amount);
  if (scale > DIGITS || units === 0n) throw new ServiceError('invalid-amount');
  return units * 10n ** BigInt(DIGITS - scale);
}

export function amountOf(units: bigint): string {
  return decimalText(units, DIGITS).replace(/\.?0+$/, '');
}

function priceOf(text: string): Decimal {
  const price = parseDecimal(text);
  if (price.units === 0n) throw new ServiceError('rate-unavailable', { detail: 'price of zero' });
  return price;
}

/** The cost of satoshis in units, rounded up. @param price decimal text: the price of one BSV in the currency */
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
