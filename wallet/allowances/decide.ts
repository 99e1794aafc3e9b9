/**
 * Decides whether an allowance pays or the user is prompted. Checks the allowance's limits in its currency, its ceiling
 * in satoshis, and the rate limits for trusted swipes. Performs no I/O.
 */
import type { Rate } from '../../protocol/messages/wallet-messages.ts';
import {
  at,
  leftOf,
  type Allowance,
  type AllowanceKind,
  type Cost,
  type AllowanceKey,
  type Use,
  type Terms,
  type Prices,
  type Ceiling,
} from './allowance.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
import { ceilingSatoshis, parseDecimal, type Decimal, decimalText } from '../../protocol/money/money.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';

/** Why no allowance pays and the user is prompted instead. */
export type PromptReason =
  | 'none'
  | 'no-userActivation'
  | 'locked'
  | 'cost-unknown'
  | 'rate-moved'
  | 'too-much-at-once'
  | 'used-up'
  | 'above-ceiling'
  | 'too-often';

/** `left` is the amount that remains in the period, in units. `debit` is the payment's cost. */
export type Decision =
  | { kind: 'pay'; debit: Cost; left: bigint }
  | { kind: 'prompt'; reason: PromptReason; left: bigint };

export interface PaymentCase {
  allowance: Allowance | null;
  /** The payment's cost, including its fee; null if unknown. */
  cost: (Cost & { rate: Pick<Rate, 'price' | 'dollar'> }) | null;
  /** Milliseconds since 1970. */
  now: number;
  userActivation: UserActivation;
  /** Kind of the payment: `any-site` for a trusted swipe, `automatic` if the page pays without a user gesture. */
  kind: AllowanceKind;
  site: string;
  locked: boolean;
}

/** Returns a payment's cost at the rate of an allowance's currency. @param satoshis total cost, including the fee */
export function costAt(satoshis: bigint, rate: Pick<Rate, 'price' | 'dollar'>): PaymentCase['cost'] {
  return { satoshis, units: unitsForSatoshis(satoshis, rate.price), rate };
}

/** Decides whether a payment is made without a prompt. */
export function decide({ allowance, cost, now, userActivation, kind, site, locked }: PaymentCase): Decision {
  if (allowance === null || allowance.kind !== kind || allowance.isOff)
    return { kind: 'prompt', reason: 'none', left: 0n };
  const current = at(allowance, now);
  const left = leftOf(current);
  const prompt = (reason: PromptReason): Decision => ({ kind: 'prompt', reason, left });
  // Otherwise, anyone could embed the site's own pages in an invisible frame to spend its allowance.
  if (userActivation === 'embedded' || (kind !== 'automatic' && userActivation !== 'new'))
    return prompt('no-userActivation');
  if (locked) return prompt('locked');
  if (cost === null || cost.units <= 0n) return prompt('cost-unknown');
  const { units, satoshis, rate } = cost;
  if (hasMoved(current, rate)) return prompt('rate-moved');
  if (current.perPayment !== null && units > current.perPayment) return prompt('too-much-at-once');
  if (units > left) return prompt('used-up');
  const [most, atOnce] = [ceilingLeft(current), current.ceiling?.perPayment ?? null];
  if ((most !== null && satoshis > most) || (atOnce !== null && satoshis > atOnce)) return prompt('above-ceiling');
  if (isTooOften(current, site, now) || isTooFast(current, units, now)) return prompt('too-often');
  return { kind: 'pay', debit: { units, satoshis }, left };
}

/**
 * Key of the allowance for trusted swipes on all sites. Its payments are rate-limited, because a page can open other
 * sites. No page has this origin, because origins reported by browsers have a scheme.
 */
export const ANY_SITE: AllowanceKey = ['*', '', 'any-site'];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Maximum number of payments per minute for one site. */
const MAX_SITE_PER_MINUTE = 3;
const MAX_ALL_PER_MINUTE = 10;
/** The hourly limit is the daily limit divided by this number, but always allows one payment of the maximum size. */
const HOURS_TO_SPEND_A_DAY = 2n;

/** Maximum number of stored payments that weren't made in the last hour. They count again if the clock is set back. */
const MAX_OTHER_USES = 100;

/** Returns the payments made less than `ms` before now or, if the clock was set back, after now. */
const within = (latest: readonly Use[] = [], ms: number, now: number) =>
  latest.filter(({ at }) => Math.abs(now - at) < ms);

export function isTooOften({ latest }: Pick<Allowance, 'latest'>, site: string, now: number): boolean {
  const uses = within(latest, MINUTE_MS, now);
  return (
    uses.length >= MAX_ALL_PER_MINUTE || uses.filter(({ origin }) => origin === site).length >= MAX_SITE_PER_MINUTE
  );
}

/** True if a payment of this many units would exceed the hourly limit. */
export function isTooFast(
  { kind, latest, limit, perPayment }: Pick<Allowance, 'kind' | 'latest' | 'limit' | 'perPayment'>,
  units: bigint,
  now: number,
): boolean {
  if (kind !== 'any-site') return false;
  const half = limit / HOURS_TO_SPEND_A_DAY;
  const share = perPayment !== null && perPayment > half ? perPayment : half;
  const spent = within(latest, HOUR_MS, now).reduce((sum, { cost }) => sum + (cost?.units ?? 0n), 0n);
  return spent + units > share;
}

/** Returns the allowance with a site's payment added to its latest payments. */
export function withUse(allowance: Allowance, origin: string, cost: Cost, now: number): Allowance {
  const { latest = [] } = allowance;
  const recent = new Set(within(latest, HOUR_MS, now));
  const others = latest.filter((one) => !recent.has(one)).slice(-MAX_OTHER_USES);
  return { ...allowance, latest: [...others, ...recent, { origin, at: now, cost }] };
}

/**
 * Returns the ceiling in satoshis for an allowance in a currency other than BSV, at the rate at the time of the grant.
 * Without it, the single source of prices other than the dollar's (wallet/chain/rates.ts) could raise the allowance's
 * value.
 * @throws ServiceError `rate-unavailable`
 */
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

/** Returns the satoshis left under the ceiling in the period. Null for BSV, which needs no ceiling. */
export function ceilingLeft({ currency, ceiling, spentSatoshis }: Allowance): bigint | null {
  if (currency === 'BSV') return null;
  if (!ceiling) return 0n;
  return ceiling.limit > spentSatoshis ? ceiling.limit - spentSatoshis : 0n;
}

/**
 * Returns the remaining satoshis in the period.
 * @param price price of one BSV in the allowance's currency, decimal string
 */
export function satoshisLeft(allowance: Allowance, price: string): bigint {
  const [bought, most] = [satoshisForUnits(leftOf(allowance), price), ceilingLeft(allowance)];
  return most !== null && most < bought ? most : bought;
}

/** True if the currency's dollar rate is unknown, or has changed by over 20% (of the smaller value) since the grant. */
export function hasMoved({ currency, ceiling }: Allowance, { price, dollar }: Pick<Rate, 'price' | 'dollar'>): boolean {
  if (currency === 'BSV') return false;
  if (!ceiling || dollar === undefined) return true;
  const [then, thenDollar, now, nowDollar] = [ceiling.price, ceiling.dollar, price, dollar].map(parseDecimal) as [
    Decimal,
    Decimal,
    Decimal,
    Decimal,
  ];
  // compares then / thenDollar with now / nowDollar, without division
  const x = then.units * nowDollar.units * 10n ** BigInt(thenDollar.scale + now.scale);
  const y = now.units * thenDollar.units * 10n ** BigInt(then.scale + nowDollar.scale);
  return x > y ? (x - y) * 5n > y : (y - x) * 5n > x;
}

/**
 * Decimal places of an allowance's unit, which is 10^-8 of its currency (for BSV, a satoshi). If the unit were a cent,
 * rounding up would debit ten dollars for a thousand payments of 0.01 cents.
 */
const DIGITS = 8;

/** Converts a decimal string to units. @throws ServiceError `invalid-amount` (malformed, zero, over eight decimals) */
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

/**
 * Converts satoshis to units, rounded up so that an allowance never records less than was spent.
 * @param price price of one BSV in the currency, decimal string
 */
export function unitsForSatoshis(satoshis: bigint, price: string): bigint {
  // The 10^8 satoshis in a BSV and the 10^8 units in a currency cancel out.
  const { units, scale } = priceOf(price);
  const whole = 10n ** BigInt(scale);
  return (satoshis * units + whole - 1n) / whole;
}

/** Converts units to satoshis, rounded down. */
export function satoshisForUnits(amount: bigint, price: string): bigint {
  const { units, scale } = priceOf(price);
  return (amount * 10n ** BigInt(scale)) / units;
}
