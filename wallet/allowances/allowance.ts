/** The amount that a user lets one site spend without a prompt. */
import { periodOf, type Period } from './period.ts';
import type { AllowanceTerms } from '../../protocol/messages/wallet-messages.ts';
import type { Money } from '../../protocol/messages/page-messages.ts';

/**
 * `swipe`: for payments that a person initiates in the page. `automatic`: for payments that a page makes by itself.
 * `any-site`: for trusted swipes on all sites (decide.ts). Each pays only for its own kind.
 */
export type AllowanceKind = 'swipe' | 'automatic' | 'any-site';

/** Names one allowance: the full origin, the client identifier ('' if the page gives none), and its kind. */
export type AllowanceKey = [origin: string, clientIdentifier: string, kind: AllowanceKind];

/** The user's settings. Amounts in units (decide.ts) of `currency`. */
export interface Terms {
  currency: string;
  /** Maximum spending in one period, including network fees. */
  limit: bigint;
  /** Maximum cost of one payment, including its fee; null for no such limit. */
  perPayment: bigint | null;
  period: Period;
  /** For every allowance that isn't in BSV. One without a ceiling pays nothing. */
  ceiling?: Ceiling | null;
}

/** One allowance, as stored. Times are milliseconds since 1970. */
export interface Allowance extends Terms, Spending {
  origin: string;
  clientIdentifier: string;
  kind: AllowanceKind;
  /** Its token: random, new with each grant. A pending payment under an older one fails. */
  id: string;
  /** Previous periods, latest first. The clock may return to one. */
  otherPeriods?: readonly Spending[];
  totalSpent: bigint;
  payments: number;
  createdAt: number;
  usedAt: number | null;
  /** The user has switched it off. The spent amount is kept for when it is switched on again. */
  isOff?: boolean;
  /** Payments from the allowance for all sites: those of the last hour, and some before (decide.ts). */
  latest?: readonly Use[];
}

/** A payment to a site from the allowance for all sites, and its time (milliseconds since 1970). */
export interface Use {
  origin: string;
  at: number;
  /** Missing if it was stored before costs were. */
  cost?: Cost;
}

export const keyOf = ({
  origin,
  clientIdentifier,
  kind,
}: Pick<Allowance, 'origin' | 'clientIdentifier' | 'kind'>): AllowanceKey => [origin, clientIdentifier, kind];

/** A new allowance, with nothing spent. */
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
 * The allowance at a moment; after the end of its period, with nothing spent. If the clock was set back, the payments
 * since then count in the earlier period, together with those that were already in it.
 */
export function at<A extends Allowance>(allowance: A, now: number): A {
  if (isWithin(allowance, now)) return allowance;
  return { ...allowance, ...movedTo(allowance, periodOf(allowance.period, now), now) };
}

/** The remaining units of the period. */
export function leftOf({ limit, spent }: Allowance): bigint {
  return limit > spent ? limit - spent : 0n;
}

/**
 * Changes the terms. The spent amount is kept if the period is of the same kind, or begins at the same moment, because
 * refunds and reservations of refused payments refer to it.
 */
export function withTerms(allowance: Allowance, terms: Omit<Terms, 'currency'>, now: number): Allowance {
  const current = at(allowance, now);
  if (terms.period === current.period) return { ...current, ...terms };
  const { start, end } = periodOf(terms.period, now);
  if (start === current.periodStart) return { ...current, ...terms, resetsAt: end };
  const { otherPeriods: _, ...rest } = current;
  return { ...rest, ...terms, periodStart: start, resetsAt: end, spent: 0n, spentSatoshis: 0n };
}

/** Debits a payment's cost: in units, and the satoshis that left the wallet. */
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
 * @param periodStart of the period in which it was debited. One that begins later is from a clock that was ahead, so
 *   the payment counts in the current period also
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
 * Refunds a debit whose payment can never be mined, in the period in which it was debited.
 * @param periodStart of that period
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
  /** Identifies the grant. A later one with the same key has another id. */
  id: string;
  currency: string;
}

/** A signed payment's debit from its allowance. */
export interface Debit extends FromAllowance {
  /** In units of the currency (wallet/allowances/decide.ts). */
  debit: bigint;
  debitSatoshis: bigint;
  /** Start of the period in which it was debited. */
  periodStart: number;
}

/** The price of one BSV in a currency and, by the same source, in dollars: decimal texts. */
export type Prices = NonNullable<AllowanceTerms['rate']>;

/** Maximum spending of an allowance at any rate (satoshis, including fees), and the rate from which it was computed. */
export interface Ceiling extends Prices {
  limit: bigint;
  perPayment: bigint | null;
}

/** A page's suggestion for an allowance, validated. A field is null if the page doesn't name it. */
export interface WantedAllowance {
  suggested: Money | null;
  minimum: Money | null;
}

/** The cost of a payment with its fee: in units of the allowance's currency, and the satoshis that leave the wallet. */
export interface Cost {
  units: bigint;
  satoshis: bigint;
}

export interface Spending {
  periodStart: number;
  /** End of the period, as announced to the user, even if the time zone changes. */
  resetsAt: number;
  /** Spent since `periodStart`, in units of the allowance's currency. */
  spent: bigint;
  spentSatoshis: bigint;
}

/** The current period's spending, and that of others. */
export type AllSpending = Spending & { otherPeriods?: readonly Spending[] };

/** Number of other periods that an allowance remembers. */
const MAX_OTHER_PERIODS = 12;

/** True if a moment is in a period. */
export const isWithin = ({ periodStart, resetsAt }: Spending, now: number): boolean =>
  now >= periodStart && now < resetsAt;

/**
 * The spending after time has passed or the clock was changed. A known period continues, so that a clock that was wrong
 * for a while doesn't renew its limit.
 * @param next the period of `now`, if it isn't known
 */
export function movedTo(from: AllSpending, next: { start: number; end: number }, now: number): AllSpending {
  const { periodStart, resetsAt, spent, spentSatoshis, otherPeriods = [] } = from;
  const periods = [{ periodStart, resetsAt, spent, spentSatoshis }, ...otherPeriods];
  const known = periods.find((one) => isWithin(one, now));
  const current = known ?? { periodStart: next.start, resetsAt: next.end, spent: 0n, spentSatoshis: 0n };
  // If the clock was set back, the spending since then belongs here. Later periods were counted when they were left.
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

/** Changes the spending of the period that begins at a time, if that is known. */
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
