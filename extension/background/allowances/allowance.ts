/** What a user lets one site spend without being asked. */
import { periodOf, type Period } from './period.ts';
import type { AllowanceTerms } from '../../../protocol/wallet-messages.ts';
import type { Money } from '../../../protocol/page-messages.ts';

/**
 * `swipe`: for payments that a person initiates in the page. `automatic`: for payments that a page makes by itself.
 * `any-site`: the one for trusted swipes on all sites (any-site.ts). None is ever used for another.
 */
export type AllowanceKind = 'swipe' | 'automatic' | 'any-site';

/** Names one allowance: the full origin, the client identifier ('' where the page gives none), and its kind. */
export type AllowanceKey = [origin: string, clientIdentifier: string, kind: AllowanceKind];

/** What the user sets. Amounts in units (units.ts) of `currency`. */
export interface Terms {
  currency: string;
  /** Most that may be spent in one period, network fees included. */
  limit: bigint;
  /** Most that one payment may cost, its fee included; null for no such limit. */
  perPayment: bigint | null;
  period: Period;
  /** Of every allowance that is not in BSV. One without pays nothing. */
  ceiling?: Ceiling | null;
}

/** One allowance, as stored. Times are milliseconds since 1970. */
export interface Allowance extends Terms {
  origin: string;
  clientIdentifier: string;
  kind: AllowanceKind;
  /** Its token: random, new with each grant. A payment under way under an older one does not go through. */
  id: string;
  periodStart: number;
  /** When the period ends. It stays as announced to the user, even if the time zone changes. */
  resetsAt: number;
  /** Spent since `periodStart`. */
  spent: bigint;
  /** The same in satoshis, to the satoshi. */
  spentSatoshis: bigint;
  totalSpent: bigint;
  /** How many payments were made from it. */
  payments: number;
  createdAt: number;
  usedAt: number | null;
  /** The user has switched it off. What was spent counts on, for when it is switched on again. */
  isOff?: boolean;
  /** For all sites: its payments of the last hour (any-site.ts), oldest first. */
  latest?: readonly Use[];
}

/** That a site was paid from the allowance for all sites, and when (milliseconds since 1970). */
export interface Use {
  origin: string;
  at: number;
  /** Missing if it was stored before costs were. */
  cost?: Cost;
}

/** What a payment costs with its fee: in units of the allowance's currency, and the satoshis that leave the wallet. */
export interface Cost {
  units: bigint;
  satoshis: bigint;
}

/** The key of an allowance. */
export const keyOf = ({
  origin,
  clientIdentifier,
  kind,
}: Pick<Allowance, 'origin' | 'clientIdentifier' | 'kind'>): AllowanceKey => [origin, clientIdentifier, kind];

/** A fresh allowance, with nothing spent. */
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
 * The allowance as it is at a moment: once its period has ended, the one that holds the moment has begun with nothing
 * spent. If its period has not begun yet, the clock was put back: the current one begins, with what was spent.
 */
export function at<A extends Allowance>(allowance: A, now: number): A {
  if (now >= allowance.periodStart && now < allowance.resetsAt) return allowance;
  const { start, end } = periodOf(allowance.period, now);
  const begun = { ...allowance, periodStart: start, resetsAt: end };
  return now < allowance.periodStart ? begun : { ...begun, spent: 0n, spentSatoshis: 0n };
}

/** What is left in the period, in units. */
export function leftOf({ limit, spent }: Allowance): bigint {
  return limit > spent ? limit - spent : 0n;
}

/**
 * With other terms. What was spent counts on while the period is the same kind of time, or begins at the same moment:
 * what is given back, or held by a refused payment, is known by that.
 */
export function withTerms(allowance: Allowance, terms: Omit<Terms, 'currency'>, now: number): Allowance {
  const current = at(allowance, now);
  if (terms.period === current.period) return { ...current, ...terms };
  const { start, end } = periodOf(terms.period, now);
  if (start === current.periodStart) return { ...current, ...terms, resetsAt: end };
  return { ...current, ...terms, periodStart: start, resetsAt: end, spent: 0n, spentSatoshis: 0n };
}

/** With a payment's cost taken from it: in units, and the satoshis that left the wallet. */
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
 * With a debit taken once more that was given back, because its payment may come about after all.
 * @param periodStart of the period in which it was debited
 */
export function debitedAgain(allowance: Allowance, { units: cost, satoshis }: Cost, periodStart: number): Allowance {
  const same = allowance.periodStart === periodStart;
  return {
    ...allowance,
    ...(same && { spent: allowance.spent + cost, spentSatoshis: allowance.spentSatoshis + satoshis }),
    totalSpent: allowance.totalSpent + cost,
    payments: allowance.payments + 1,
  };
}

/**
 * Refunds a debit whose payment can never be made. There is no refund in a later period.
 * @param periodStart of the period that it was taken in
 */
export function credited(allowance: Allowance, { units: cost, satoshis }: Cost, periodStart: number): Allowance {
  const less = (from: bigint, by = cost) => (from > by ? from - by : 0n);
  const same = allowance.periodStart === periodStart;
  return {
    ...allowance,
    ...(same && { spent: less(allowance.spent), spentSatoshis: less(allowance.spentSatoshis, satoshis) }),
    totalSpent: less(allowance.totalSpent),
    payments: Math.max(0, allowance.payments - 1),
  };
}

/** The allowance that a payment is to be made from. */
export interface FromAllowance {
  key: AllowanceKey;
  /** Of the grant: a later one of the same key is another. */
  id: string;
  currency: string;
}

/** What a signed payment took from its allowance. */
export interface Debit extends FromAllowance {
  /** In units of the currency (allowances/units.ts). */
  debit: bigint;
  /** The same in satoshis. */
  debitSatoshis: bigint;
  /** Of the period that it was taken in. */
  periodStart: number;
}

/** What one BSV costs in a currency and, by the same source, in dollars: decimal texts. */
export type Prices = NonNullable<AllowanceTerms['rate']>;

/**
 * The most that an allowance may take whatever the rate does (satoshis, fees included), and the rate that this was
 * worked out by.
 */
export interface Ceiling extends Prices {
  limit: bigint;
  perPayment: bigint | null;
}

/**
 * The allowance that a page suggests, parsed from its request; invalid suggestions are rejected. A field is null if
 * the page does not name it.
 */
export interface WantedAllowance {
  suggested: Money | null;
  minimum: Money | null;
}
