import { part, type Wallet } from '../platform.ts';
/** Schedules of retries. Each retried step has its own in the payment's record. */

export interface Retry {
  attempts: number;
  /** The earliest time of the next one (milliseconds since 1970). */
  nextAt: number;
  /** The problem of the last one: an error code, or a host's status. */
  problem: string | null;
}

/** Not tried yet, so due immediately. */
export const NOT_TRIED: Retry = { attempts: 0, nextAt: 0, problem: null };

const FIRST_DELAY_MS = 1000;
export const MINUTE_MS = 60_000;
/** Maximum time between two checks of a withheld payment (milliseconds). */
export const LONGEST_WATCH_MS = 3600_000;
/** Maximum time between attempts to report to the wallet's own service (milliseconds). */
export const FIVE_MINUTES_MS = 300_000;
/** Maximum time between attempts at other parties' hosts (milliseconds). */
export const DAY_MS = 24 * 3600_000;
const GIVEN_UP_AFTER_MS = 30 * DAY_MS;
/** Attempts before a host is given up: about three days, with the delays between them. */
const MIN_ATTEMPTS = 20;

/** The delay after this many tries (milliseconds): `firstMs` after one, twice as long after each more, up to `longestMs`. */
export const delayAfter = (attempts: number, longestMs: number, firstMs = FIRST_DELAY_MS): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(attempts - 1, 0), 20));

/**
 * The schedule after one more attempt: the next one is due after 1 s, 2 s, 4 s … up to a maximum delay.
 * @param longestMs milliseconds
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

/** Shifts the minutes by wallet (milliseconds). */
const minuteOffset = part((wallet) => (wallet.getRandomValues(new Uint16Array(1))[0] as number) % MINUTE_MS);

/**
 * The schedule of a withheld payment after one more check: the next one is due at the end of a minute, after about 1
 * minute, 2, 4 … up to an hour. Those that are due in the same minute share a round (kept-round.ts).
 */
export function nextWatch(wallet: Wallet, { attempts }: Pick<Retry, 'attempts'>, problem: string | null): Retry {
  const tried = attempts + 1;
  const at = wallet.now() + delayAfter(tried, LONGEST_WATCH_MS, MINUTE_MS);
  return { attempts: tried, nextAt: at - ((at + minuteOffset(wallet)) % MINUTE_MS), problem };
}

/** After this many attempts the next delay would be longer than five minutes. */
const LAST_STEP = 9;

/** True once a report to the wallet's own service has its maximum delay. */
export function waitsLongest({ attempts }: Pick<Retry, 'attempts'>): boolean {
  return attempts >= LAST_STEP;
}

/**
 * The schedule of a report to the wallet's own service after one more attempt. Many may wait if the service does not
 * respond, or the wallet is locked. In the end they are due together every five minutes, so that one read of all
 * payments serves them; earlier once one succeeds (outbox.ts) or the wallet is unlocked.
 * @param identity the wallet's identity key, hex: it shifts the five minutes, so that wallets do not all report at the
 * same time
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
 * True once a host was tried for a month, and this many times, so that no further attempt is made. A clock that is
 * temporarily ahead ends nothing.
 */
export function isGivenUp(
  wallet: Wallet,
  { approvedAt, createdAt }: { approvedAt: number | null; createdAt: number },
  { attempts }: Retry,
): boolean {
  return attempts >= MIN_ATTEMPTS && wallet.now() - (approvedAt ?? createdAt) > GIVEN_UP_AFTER_MS;
}
