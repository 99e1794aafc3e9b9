/**
 * The allowance for trusted swipes on all sites: one record, counted and debited as every allowance is. What it adds is how
 * often one site may be paid from it. Pure.
 */
import type { Allowance, AllowanceKey, Use } from './allowance.ts';

/** Its key. No page has this origin: those that the browser reports have a scheme. */
export const ANY_SITE: AllowanceKey = ['*', '', 'any-site'];

/** Payments of one site within {@link MINUTE_MS}. */
const MOST_PER_MINUTE = 3;
const MINUTE_MS = 60_000;

/** A clock that was set back leaves no use in the future, which would count until then. */
const isLatest = ({ at }: Use, now: number) => Math.abs(now - at) < MINUTE_MS;

/** Has this site been paid from it so often within a minute that the user is asked? */
export function isTooOften({ latest = [] }: Pick<Allowance, 'latest'>, site: string, now: number): boolean {
  return latest.filter((use) => use.origin === site && isLatest(use, now)).length >= MOST_PER_MINUTE;
}

/** With one more payment of a site noted. */
export function withUse(allowance: Allowance, site: string, now: number): Allowance {
  const latest = (allowance.latest ?? []).filter((use) => isLatest(use, now));
  return { ...allowance, latest: [...latest, { origin: site, at: now }] };
}
