/** When a text to sign may be from, and for how long it may count. Pure. */
import { ServiceError } from '../../../protocol/errors.ts';

/** How far a service's clock may be from ours (milliseconds). */
const CLOCK_MS = 120_000;
/** The longest that a signature may count (milliseconds): whoever steals one has no longer. */
const LONGEST_MS = 600_000;

/**
 * @param now milliseconds since 1970
 * @throws ServiceError `invalid-challenge`: not issued within two minutes of now, over already, or good for more than
 * ten minutes
 */
export function checkTimes({ issuedAt, expiresAt }: { issuedAt: string; expiresAt: string }, now: number): void {
  const issued = Date.parse(issuedAt);
  const expires = Date.parse(expiresAt);
  const sane = Math.abs(now - issued) <= CLOCK_MS && expires > issued && expires - issued <= LONGEST_MS;
  // Comparisons with what is no time are false. A clock that is ahead must not make every challenge late: see below.
  if (!sane || isOver(expiresAt, now)) throw new ServiceError('invalid-challenge');
}

/** Is it too late to sign? By our clock, which may be ahead of the service's: that decides in the end. */
export function isOver(expiresAt: string, now: number): boolean {
  return now > Date.parse(expiresAt) + CLOCK_MS;
}
