/** Checks when a sign-in message was issued, and how long it is valid. Pure. */
import { ServiceError } from '../../protocol/errors/service-error.ts';

/** Maximum difference between a service's clock and the wallet's (milliseconds). */
const CLOCK_MS = 120_000;
/** Maximum lifetime of a signature (milliseconds), to limit the use of a stolen one. */
const MAX_SIGNATURE_LIFE_MS = 600_000;

/**
 * Checks the times in a sign-in message.
 * @param now milliseconds since 1970
 * @throws ServiceError `invalid-challenge` (not issued within 2 minutes of now, expired, or valid for over 10 minutes)
 */
export function checkTimes({ issuedAt, expiresAt }: { issuedAt: string; expiresAt: string }, now: number): void {
  const issued = Date.parse(issuedAt);
  const expires = Date.parse(expiresAt);
  const sane = Math.abs(now - issued) <= CLOCK_MS && expires > issued && expires - issued <= MAX_SIGNATURE_LIFE_MS;
  // If a time is invalid, `sane` is false. `isOver` tolerates a clock that is ahead.
  if (!sane || isOver(expiresAt, now)) throw new ServiceError('invalid-challenge');
}

/**
 * True if a sign-in message has expired. Tolerates a clock that is ahead of the service's. The service makes the final
 * decision.
 */
export function isOver(expiresAt: string, now: number): boolean {
  return now > Date.parse(expiresAt) + CLOCK_MS;
}
