/** Allowed issue times of a text to sign, and its maximum lifetime. Pure. */
import { ServiceError } from '../../protocol/errors/service-error.ts';

/** Maximum difference between a service's clock and ours (milliseconds). */
const CLOCK_MS = 120_000;
/** Maximum lifetime of a signature (milliseconds), which limits the use of a stolen one. */
const LONGEST_MS = 600_000;

/**
 * @param now milliseconds since 1970
 * @throws ServiceError `invalid-challenge`: not issued within two minutes of now, expired already, or valid for more
 * than ten minutes
 */
export function checkTimes({ issuedAt, expiresAt }: { issuedAt: string; expiresAt: string }, now: number): void {
  const issued = Date.parse(issuedAt);
  const expires = Date.parse(expiresAt);
  const sane = Math.abs(now - issued) <= CLOCK_MS && expires > issued && expires - issued <= LONGEST_MS;
  // Comparisons with an invalid time are false. A clock that is ahead must not reject every challenge: see below.
  if (!sane || isOver(expiresAt, now)) throw new ServiceError('invalid-challenge');
}

/** True if it is too late to sign by our clock. That may be ahead of the service's, which makes the final decision. */
export function isOver(expiresAt: string, now: number): boolean {
  return now > Date.parse(expiresAt) + CLOCK_MS;
}
