/**
 * When somebody who does not acknowledge a payment is told of it again: after 1 s, 2 s, 4 s … up to a day, for a month.
 */
import type { PaymentRecord } from './record.ts';

/** All in milliseconds. */
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 24 * 3600_000;
const GIVEN_UP_AFTER_MS = 30 * 24 * 3600_000;

/** The clock after one more try. @param attempts tries before it */
export function nextTry(attempts: number): { attempts: number; nextAt: number } {
  return {
    attempts: attempts + 1,
    nextAt: Date.now() + Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts, 20)),
  };
}

/** True once it was tried for so long that no further try is made. */
export function isGivenUp({ approvedAt, createdAt }: PaymentRecord): boolean {
  return Date.now() - (approvedAt ?? createdAt) > GIVEN_UP_AFTER_MS;
}
