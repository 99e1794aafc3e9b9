/**
 * Limits an allowance in money to a number of satoshis. Prices other than the dollar's come from one source
 * (wallet/chain/agreement.ts), which could otherwise decide what an allowance is worth. Pure.
 */
import { ceilingSatoshis, parseDecimal, type Decimal } from '../../protocol/money/money.ts';
import type { Rate } from '../../protocol/messages/wallet-messages.ts';
import { leftOf, type Allowance, type Terms, type Prices, type Ceiling } from './allowance.ts';
import { amountOf, satoshisForUnits } from './units.ts';

/** The ceiling of an allowance granted at a rate. @throws ServiceError `rate-unavailable` */
export function ceilingAt(
  { limit, perPayment }: Pick<Terms, 'limit' | 'perPayment'>,
  { price, dollar }: Prices,
): Ceiling {
  return {
    price,
    dollar,
    limit: ceilingSatoshis(amountOf(limit), price),
    perPayment: perPayment === null ? null : ceilingSatoshis(amountOf(perPayment), price),
  };
}

/** Satoshis that may still be spent in the period; null if the allowance is in BSV, which needs no ceiling. */
export function ceilingLeft({ currency, ceiling, spentSatoshis }: Allowance): bigint | null {
  if (currency === 'BSV') return null;
  if (!ceiling) return 0n;
  return ceiling.limit > spentSatoshis ? ceiling.limit - spentSatoshis : 0n;
}

/** The remaining satoshis of the period. @param price of the allowance's currency, decimal text */
export function satoshisLeft(allowance: Allowance, price: string): bigint {
  const [bought, most] = [satoshisForUnits(leftOf(allowance), price), ceilingLeft(allowance)];
  return most !== null && most < bought ? most : bought;
}

/**
 * True if the currency moved against the dollar by more than 20% (of the smaller value) since the grant, or unknown.
 */
export function hasMoved({ currency, ceiling }: Allowance, { price, dollar }: Pick<Rate, 'price' | 'dollar'>): boolean {
  if (currency === 'BSV') return false;
  if (!ceiling || dollar === undefined) return true;
  const [then, thenDollar, now, nowDollar] = [ceiling.price, ceiling.dollar, price, dollar].map(parseDecimal) as [
    Decimal,
    Decimal,
    Decimal,
    Decimal,
  ];
  // then / thenDollar compared with now / nowDollar, without dividing
  const x = then.units * nowDollar.units * 10n ** BigInt(thenDollar.scale + now.scale);
  const y = now.units * thenDollar.units * 10n ** BigInt(then.scale + nowDollar.scale);
  return x > y ? (x - y) * 5n > y : (y - x) * 5n > x;
}
