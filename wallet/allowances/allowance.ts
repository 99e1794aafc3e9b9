/** The amount that a user lets one site spend without a prompt. */
import { changed, isWithin, movedTo, type Cost, type Spending } from './spending.ts';
import { periodOf, type Period } from './period.ts';
import type { AllowanceTerms } from '../../protocol/messages/wallet-messages.ts';
import type { Money } from '../../protocol/messages/page-messages.ts';

/**
 * `swipe`: for payments that a person initiates in the page. `automatic`: for payments that a page makes by itself.
 * `any-site`: for trusted swipes on all sites (any-site.ts). Each pays only for its own kind.
 */
export type AllowanceKind = 'swipe' | 'automatic' | 'any-site';

/** Names one allowance: the full origin, the client identifier ('' if the page gives none), and its kind. */
export type AllowanceKey = [origin: string, clientIdentifier: string, kind: AllowanceKind];

/** The user's settings. Amounts in units (units.ts) of `currency`. */
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
  /** Payments from the allowance for all sites: those of the last hour, and some before (any-site.ts). */
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
  /** In units of the currency (wallet/allowances/units.ts). */
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
