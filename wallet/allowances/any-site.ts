/**
 * The allowance for trusted swipes on all sites: one record, debited like any allowance. It also limits the rate of
 * spending, per site and in total, because a page can open other sites. Pure.
 */
import type { Allowance, AllowanceKey, Use } from './allowance.ts';
import type { Cost } from './spending.ts';

/** Its key. No page can have this origin, since those that browsers report have a scheme. */
export const ANY_SITE: AllowanceKey = ['*', '', 'any-site'];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Payments of one site, and of all sites together, within a minute. */
const MAX_SITE_PER_MINUTE = 3;
const MAX_ALL_PER_MINUTE = 10;
/** Within an hour, at most the day's limit divided by this may be spent, or one payment of the largest size. */
const HOURS_TO_SPEND_A_DAY = 2n;

/** Number of uses at other times that are remembered, because the clock may return there. */
const MAX_OTHER_USES = 100;

/** Uses within some time before now. If the clock was set back, uses in the future don't count. */
const within = (latest: readonly Use[] = [], ms: number, now: number) =>
  latest.filter(({ at }) => Math.abs(now - at) < ms);

export function isTooOften({ latest }: Pick<Allowance, 'latest'>, site: string, now: number): boolean {
  const uses = within(latest, MINUTE_MS, now);
  return (
    uses.length >= MAX_ALL_PER_MINUTE || uses.filter(({ origin }) => origin === site).length >= MAX_SITE_PER_MINUTE
  );
}

/** True if a payment of this many units would spend more within an hour than its share of the day's limit. */
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

/** Adds a payment of a site. */
export function withUse(allowance: Allowance, origin: string, cost: Cost, now: number): Allowance {
  const { latest = [] } = allowance;
  const recent = new Set(within(latest, HOUR_MS, now));
  const others = latest.filter((one) => !recent.has(one)).slice(-MAX_OTHER_USES);
  return { ...allowance, latest: [...others, ...recent, { origin, at: now, cost }] };
}
