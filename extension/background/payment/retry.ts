/** Clocks of what is tried until it succeeds. Each thing that is retried keeps its own in the payment's record. */

/** One such clock. */
export interface Retry {
  /** Tries so far. */
  attempts: number;
  /** The next one is not due before then (milliseconds since 1970). */
  nextAt: number;
  /** What was wrong with the last one: an error code, or a host's status. */
  problem: string | null;
}

/** Of what was not tried yet: due at once. */
export const NOT_TRIED: Retry = { attempts: 0, nextAt: 0, problem: null };

const FIRST_DELAY_MS = 1000;
/** The network is tried at least so often (milliseconds). */
export const MINUTE_MS = 60_000;
/** The longest time between two looks for a payment that is kept from the network (milliseconds). */
export const LONGEST_WATCH_MS = 3600_000;
/** The wallet's own service is tried at least so often (milliseconds). */
export const FIVE_MINUTES_MS = 300_000;
/** Hosts that others run are tried at least so often (milliseconds). */
export const DAY_MS = 24 * 3600_000;
const GIVEN_UP_AFTER_MS = 30 * DAY_MS;
/** Tries before a host is given up: with the delays between them, about three days. */
const MIN_ATTEMPTS = 20;

/** The delay after this many tries (milliseconds): `firstMs` after one, twice as long after each more, up to `longestMs`. */
export const delayAfter = (attempts: number, longestMs: number, firstMs = FIRST_DELAY_MS): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(attempts - 1, 0), 20));

/**
 * The clock after one more try: the next one is due after 1 s, 2 s, 4 s … up to a longest delay.
 * @param longestMs milliseconds
 */
export function nextTry({ attempts }: Pick<Retry, 'attempts'>, problem: string | null, longestMs: number): Retry {
  const tried = attempts + 1;
  return { attempts: tried, nextAt: Date.now() + delayAfter(tried, longestMs), problem };
}

/** Other wallets' minutes begin at other times (milliseconds). */
const minuteOffset = (crypto.getRandomValues(new Uint16Array(1))[0] as number) % MINUTE_MS;

/**
 * The clock of a payment that its application keeps, after one more check: the next one is due at the end of a minute,
 * about 1 minute later, 2, 4 … up to an hour. Many are kept, and for long, so those that are due in one minute share a
 * round (kept-round.ts).
 */
export function nextWatch({ attempts }: Pick<Retry, 'attempts'>, problem: string | null): Retry {
  const tried = attempts + 1;
  const at = Date.now() + delayAfter(tried, LONGEST_WATCH_MS, MINUTE_MS);
  return { attempts: tried, nextAt: at - ((at + minuteOffset) % MINUTE_MS), problem };
}

/** After so many tries the next delay would be longer than five minutes. */
const LAST_STEP = 9;

/** Has it been tried for so long that it waits as long as a report to the wallet's own service ever does? */
export function waitsLongest({ attempts }: Pick<Retry, 'attempts'>): boolean {
  return attempts >= LAST_STEP;
}

/**
 * The clock of a report to the wallet's own service after one more try. Where that does not answer, or the wallet is locked, many may wait. In the end they are
 * due every five minutes and together, so that one look at all payments serves them; and before that when one gets
 * through (service-outage.ts), or the wallet is unlocked.
 * @param identity the wallet's identity key, hex: other wallets' five minutes end at other times, so that they do not all ask at once
 */
export function nextReport(retry: Pick<Retry, 'attempts'>, problem: string, identity: string): Retry {
  const isLong = problem === 'service-unavailable' || problem === 'wallet-locked';
  const next = nextTry(retry, problem, isLong ? FIVE_MINUTES_MS : MINUTE_MS);
  const offset = Number.parseInt(identity.slice(-8), 16) % FIVE_MINUTES_MS;
  return isLong && waitsLongest(retry)
    ? { ...next, nextAt: next.nextAt - ((next.nextAt + offset) % FIVE_MINUTES_MS) }
    : next;
}

/**
 * True once a host was tried for so long that no further try is made: a month, and this many times. A clock that is ahead
 * for a while ends nothing.
 */
export function isGivenUp(
  { approvedAt, createdAt }: { approvedAt: number | null; createdAt: number },
  { attempts }: Retry,
): boolean {
  return attempts >= MIN_ATTEMPTS && Date.now() - (approvedAt ?? createdAt) > GIVEN_UP_AFTER_MS;
}
