/** An allowance: the amount that a site can spend without a prompt. */
import { periodOf, type Period } from './period.ts';
import type { AllowanceTerms } from '../../protocol/messages/wallet-messages.ts';
import type { Money } from '../../protocol/messages/page-messages.ts';

/**
 * `swipe`: payments that the user starts on the page. `automatic`: payments that a page makes without a user gesture.
 * `any-site`: trusted swipes on all sites (decide.ts). An allowance covers only its own kind of payment.
 */
export type AllowanceKind = 'swipe' | 'automatic' | 'any-site';

/** Key of an allowance: the full origin, the client identifier ('' if the page passes none), and the kind. */
export type AllowanceKey = [origin: string, clientIdentifier: string, kind: AllowanceKind];

/** Terms set by the user. Amounts are in units (decide.ts) of `currency`. */
export interface Terms {
  currency: string;
  /** Maximum spending per period, including network fees. */
  limit: bigint;
  /** Maximum cost of one payment, including its fee; null for no limit. */
  perPayment: bigint | null;
  period: Period;
  /** Required unless the currency is BSV. Without a ceiling, an allowance in any other currency pays nothing. */
  ceiling?: Ceiling | null;
}

/** A stored allowance. Times are in milliseconds since 1970. */
export interface Allowance extends Terms, Spending {
  origin: string;
  clientIdentifier: string;
  kind: AllowanceKind;
  /** Random token, different for each grant. Pending payments that use an older token fail. */
  id: string;
  /** Spending in other periods, latest first. A period applies again if the clock is set back to it. */
  otherPeriods?: readonly Spending[];
  totalSpent: bigint;
  payments: number;
  createdAt: number;
  usedAt: number | null;
  /** True if the user has switched it off. The spent amount is preserved until the allowance is switched on again. */
  isOff?: boolean;
  /**
   * Payments made from the `any-site` allowance: all from the last hour, and a limited number of others (decide.ts).
   */
  latest?: readonly Use[];
}

/** A payment from the `any-site` allowance: the site that requested it, and its time (milliseconds since 1970). */
export interface Use {
  origin: string;
  at: number;
  /** Missing in records from before this field existed. */
  cost?: Cost;
}

export const keyOf = ({
  origin,
  clientIdentifier,
  kind,
}: Pick<Allowance, 'origin' | 'clientIdentifier' | 'kind'>): AllowanceKey => [origin, clientIdentifier, kind];

/** Returns a new allowance with nothing spent. */
export function newAllowance(
  [origin, clientIdentifier, kind]: AllowanceKey,
  terms: Terms,
  id: string,
  now: number,
): Allowance {
  const { start, end } = periodOf(terms.period, now);
  return {
    origin,
    clientIdentifier,
    kind,
    id,
    ...terms,
    periodStart: start,
    resetsAt: end,
    spent: 0n,
    spentSatoshis: 0n,
    totalSpent: 0n,
    payments: 0,
    createdAt: now,
    usedAt: null,
  };
}

/**
 * Returns the allowance as of `now`, with nothing spent if a new period has begun. If the clock was set back to an
 * earlier period, that period also includes the spending in later ones.
 */
export function at<A extends Allowance>(allowance: A, now: number): A {
  if (isWithin(allowance, now)) return allowance;
  return { ...allowance, ...movedTo(allowance, periodOf(allowance.period, now), now) };
}

/** Returns the remaining units in the period. */
export function leftOf({ limit, spent }: Allowance): bigint {
  return limit > spent ? limit - spent : 0n;
}

/**
 * Returns the allowance with new terms. If the period's length or start is unchanged, the spent amount is preserved,
 * because refunds and amounts held for refused payments refer to that period.
 */
export function withTerms(allowance: Allowance, terms: Omit<Terms, 'currency'>, now: number): Allowance {
  const current = at(allowance, now);
  if (terms.period === current.period) return { ...current, ...terms };
  const { start, end } = periodOf(terms.period, now);
  if (start === current.periodStart) return { ...current, ...terms, resetsAt: end };
  const { otherPeriods: _, ...rest } = current;
  return { ...rest, ...terms, periodStart: start, resetsAt: end, spent: 0n, spentSatoshis: 0n };
}

/** Returns the allowance after the debit of a payment's cost. */
export function debited(allowance: Allowance, { units: cost, satoshis }: Cost, now: number): Allowance {
  return {
    ...allowance,
    spent: allowance.spent + cost,
    spentSatoshis: allowance.spentSatoshis + satoshis,
    totalSpent: allowance.totalSpent + cost,
    payments: allowance.payments + 1,
    usedAt: now,
  };
}

/**
 * Repeats a debit that was refunded, because its payment may succeed after all.
 * @param periodStart start of the debit's period. If it is after the current period, the clock was ahead, so the
 * payment also counts toward the current period
 */
export function debitedAgain(allowance: Allowance, cost: Cost, periodStart: number): Allowance {
  const add = (to: bigint, by: bigint) => to + by;
  const isLater = periodStart > allowance.periodStart;
  const now = isLater ? changed(allowance, allowance.periodStart, cost, add) : allowance;
  return {
    ...changed(now, periodStart, cost, add),
    totalSpent: allowance.totalSpent + cost.units,
    payments: allowance.payments + 1,
  };
}

/**
 * Refunds a debit to its period, because the payment can never be mined.
 * @param periodStart start of the debit's period
 */
export function credited(allowance: Allowance, cost: Cost, periodStart: number): Allowance {
  const less = (from: bigint, by: bigint) => (from > by ? from - by : 0n);
  return {
    ...changed(allowance, periodStart, cost, less),
    totalSpent: less(allowance.totalSpent, cost.units),
    payments: Math.max(0, allowance.payments - 1),
  };
}

export interface FromAllowance {
  key: AllowanceKey;
  /** Identifies the grant. A later grant with the same key has a different ID. */
  id: string;
  currency: string;
}

/** A signed payment's debit from its allowance. */
export interface Debit extends FromAllowance {
  /** The debited amount, in units of the currency (wallet/allowances/decide.ts). */
  debit: bigint;
  debitSatoshis: bigint;
  /** Start of the period in which the payment was debited. */
  periodStart: number;
}

/** The price of one BSV in a currency and in dollars, from the same source, as decimal strings. */
export type Prices = NonNullable<AllowanceTerms['rate']>;

/**
 * Maximum spending from an allowance in satoshis, including fees, regardless of later rates. Includes the prices from
 * which it was computed.
 */
export interface Ceiling extends Prices {
  limit: bigint;
  perPayment: bigint | null;
}

/** A page's validated suggestion for an allowance. Fields that the page doesn't specify are null. */
export interface SuggestedAllowance {
  suggested: Money | null;
  minimum: Money | null;
}

/** The cost of a payment, including its fee: in units of the allowance's currency, and in satoshis. */
export interface Cost {
  units: bigint;
  satoshis: bigint;
}

export interface Spending {
  periodStart: number;
  /** End of the period as shown to the user. It doesn't change with the time zone. */
  resetsAt: number;
  /** Spent since `periodStart`, in units of the allowance's currency. */
  spent: bigint;
  spentSatoshis: bigint;
}

/** Spending in the current period and in other stored periods. */
export type AllSpending = Spending & { otherPeriods?: readonly Spending[] };

const MAX_OTHER_PERIODS = 12;

/** True if a time is within a period. */
export const isWithin = ({ periodStart, resetsAt }: Spending, now: number): boolean =>
  now >= periodStart && now < resetsAt;

/**
 * Returns the spending after time has passed or the clock has changed. Resumes a stored period that contains `now` so
 * that a temporarily wrong clock doesn't reset the limit.
 * @param next the period that contains `now`, used if it isn't stored
 */
export function movedTo(from: AllSpending, next: { start: number; end: number }, now: number): AllSpending {
  const { periodStart, resetsAt, spent, spentSatoshis, otherPeriods = [] } = from;
  const periods = [{ periodStart, resetsAt, spent, spentSatoshis }, ...otherPeriods];
  const known = periods.find((one) => isWithin(one, now));
  const current = known ?? { periodStart: next.start, resetsAt: next.end, spent: 0n, spentSatoshis: 0n };
  // If the clock was set back, later periods' spending also counts toward the period being resumed. The spending of
  // `from` already includes periods after its own.
  const since = periods.filter((one) => one.periodStart > current.periodStart && one.periodStart <= periodStart);
  return {
    ...current,
    spent: since.reduce((sum, one) => sum + one.spent, current.spent),
    spentSatoshis: since.reduce((sum, one) => sum + one.spentSatoshis, current.spentSatoshis),
    otherPeriods: periods
      .filter((one) => one !== known)
      .toSorted((a, b) => b.periodStart - a.periodStart)
      .slice(0, MAX_OTHER_PERIODS),
  };
}

/** Applies `by` to the spending in the period that starts at `periodStart`, if that period is stored. */
export function changed<A extends AllSpending>(
  all: A,
  periodStart: number,
  { units, satoshis }: Cost,
  by: (amount: bigint, cost: bigint) => bigint,
): A {
  const change = <S extends Spending>(one: S): S =>
    one.periodStart === periodStart
      ? { ...one, spent: by(one.spent, units), spentSatoshis: by(one.spentSatoshis, satoshis) }
      : one;
  const { otherPeriods } = all;
  return { ...change(all), ...(otherPeriods && { otherPeriods: otherPeriods.map(change) }) };
}
