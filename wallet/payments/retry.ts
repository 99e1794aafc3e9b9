/** Computes retry schedules. Each retried step has its own schedule in the payment's record. */
import { part, type Wallet } from '../platform.ts';

export interface Retry {
  attempts: number;
  /** Earliest time of the next attempt (milliseconds since 1970). */
  nextAt: number;
  /** The problem with the last attempt: an error code, or a host's HTTP status. */
  problem: string | null;
}

/** The schedule before the first attempt, which is due immediately. */
export const NOT_TRIED: Retry = { attempts: 0, nextAt: 0, problem: null };

const FIRST_DELAY_MS = 1000;
export const MINUTE_MS = 60_000;
/** Maximum interval between checks of a withheld payment, in milliseconds. */
export const MAX_WATCH_MS = 3600_000;
/** Maximum interval between attempts to report to the wallet's own service, in milliseconds. */
export const FIVE_MINUTES_MS = 300_000;
/** Maximum interval between attempts to reach other parties' hosts, in milliseconds. */
export const DAY_MS = 24 * 3600_000;
const GIVEN_UP_AFTER_MS = 30 * DAY_MS;
/**
 * Minimum number of attempts before the wallet gives up on a host. With the delays between them, the attempts take
 * about three days.
 */
const MIN_ATTEMPTS = 20;

/** Returns the delay after a number of attempts, in milliseconds: `firstMs`, doubled per attempt up to `longestMs`. */
export const delayAfter = (attempts: number, longestMs: number, firstMs = FIRST_DELAY_MS): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(attempts - 1, 0), 20));

/**
 * Returns the schedule after another attempt. The next attempt is due after 1 s, 2 s, 4 s … up to a maximum delay.
 * @param longestMs maximum delay, in milliseconds
 */
export function nextTry(
  wallet: Wallet,
  { attempts }: Pick<Retry, 'attempts'>,
  problem: string | null,
  longestMs: number,
): Retry {
  const tried = attempts + 1;
  return { attempts: tried, nextAt: wallet.now() + delayAfter(tried, longestMs), problem };
}

/** Random offset within the minute, so wallets don't query the index simultaneously (milliseconds). */
const minuteOffset = part((wallet) => (wallet.getRandomValues(new Uint16Array(1))[0] as number) % MINUTE_MS);

/**
 * Returns the schedule of a withheld payment after another check. The next check is due at the end of a minute, after
 * about 1, 2, 4 … minutes, up to an hour. Checks that are due in the same minute share a round (kept-round.ts).
 */
export function nextWatch(wallet: Wallet, { attempts }: Pick<Retry, 'attempts'>, problem: string | null): Retry {
  const tried = attempts + 1;
  const at = wallet.now() + delayAfter(tried, MAX_WATCH_MS, MINUTE_MS);
  return { attempts: tried, nextAt: at - ((at + minuteOffset(wallet)) % MINUTE_MS), problem };
}

/** Number of attempts after which the doubled delay would exceed five minutes. */
const LAST_STEP = 9;

/** True once a report to the wallet's own service has reached its maximum delay. */
export function waitsLongest({ attempts }: Pick<Retry, 'attempts'>): boolean {
  return attempts >= LAST_STEP;
}

/**
 * Returns the schedule of a report to the wallet's own service after another attempt. Many reports may wait while the
 * service is down or the wallet is locked. Eventually, all reports are due together every five minutes, so one
 * read of the payments serves them all. Reports are due earlier once one succeeds (outbox.ts) or the wallet is
 * unlocked.
 * @param identity the wallet's identity key in hex, which offsets the five minutes so that wallets don't report
 * simultaneously
 */
export function nextReport(wallet: Wallet, retry: Pick<Retry, 'attempts'>, problem: string, identity: string): Retry {
  const isLong = problem === 'service-unavailable' || problem === 'wallet-locked';
  const next = nextTry(wallet, retry, problem, isLong ? FIVE_MINUTES_MS : MINUTE_MS);
  const offset = Number.parseInt(identity.slice(-8), 16) % FIVE_MINUTES_MS;
  return isLong && waitsLongest(retry)
    ? { ...next, nextAt: next.nextAt - ((next.nextAt + offset) % FIVE_MINUTES_MS) }
    : next;
}

/**
 * True if the wallet gives up on a host, because attempts have lasted a month and reached the minimum number. The
 * minimum protects against a clock that is temporarily ahead.
 */
export function isGivenUp(
  wallet: Wallet,
  { approvedAt, createdAt }: { approvedAt: number | null; createdAt: number },
  { attempts }: Retry,
): boolean {
  return attempts >= MIN_ATTEMPTS && wallet.now() - (approvedAt ?? createdAt) > GIVEN_UP_AFTER_MS;
}
