/** Rate limits per site and per tab (token buckets), so a flood of requests costs the wallet almost nothing. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { MAX_OUTPUTS } from '../../protocol/payments/limits.ts';
import { part, type Wallet } from '../platform.ts';

/** Takes `count` tokens from the bucket with the key `whose`. @throws ServiceError `too-many-requests` */
type Take<Whose> = (whose: Whose, count: number) => void;

function buckets<Whose = string>(
  wallet: Wallet,
  capacity: number,
  perSecond: number,
): Take<Whose> & { owe: Take<Whose> } {
  const kept = new Map<Whose, { turns: number; at: number }>();
  const left = (whose: Whose) => {
    const now = wallet.now();
    const { turns, at } = kept.get(whose) ?? { turns: capacity, at: now };
    return Math.min(capacity, turns + (Math.max(0, now - at) / 1000) * perSecond);
  };
  // The computing time is already spent, so this never throws.
  const owe: Take<Whose> = (whose, count) => void kept.set(whose, { turns: left(whose) - count, at: wallet.now() });
  const take: Take<Whose> = (whose, count) => {
    const turns = left(whose);
    const isRefused = turns < count;
    if (kept.size > 1000) kept.clear(); // bounds memory, because a page can open many frames
    // A refusal also stores the time. Otherwise, an empty bucket wouldn't refill after the clock was set back.
    kept.set(whose, { turns: isRefused ? turns : turns - count, at: wallet.now() });
    if (isRefused) throw new ServiceError('too-many-requests');
  };
  return Object.assign(take, { owe });
}

const requests = part((wallet) => buckets(wallet, 60, 6));
/** Allows a burst of one request for each recipient of the largest payment, and one for the button's service. */
const hosts = part((wallet) => buckets(wallet, MAX_OUTPUTS + 1, 2));
const tabs = part((wallet) => buckets<number>(wallet, 3000, 300));

/** Counts one request from an origin. @throws ServiceError `too-many-requests` */
export function countRequest(wallet: Wallet, origin: string): void {
  requests(wallet)(origin, 1);
}

/**
 * Limits the hosts queried per origin before the user decides: enough for one payment's recipients and its button's
 * service, then two per second.
 * @throws ServiceError `too-many-requests`
 */
export function countHostRequests(wallet: Wallet, origin: string, count: number): void {
  if (count > 0) hosts(wallet)(origin, count);
}

/**
 * Limits the computing time used by a tab and all its frames: a burst of ten times the largest request, then 30% of a
 * processor. The limit is per tab, because a page can embed frames from many hosts.
 * @param ms milliseconds, as estimated by request-cost.ts
 * @throws ServiceError `too-many-requests`
 */
export function chargeTime(wallet: Wallet, tab: number, ms: number): void {
  tabs(wallet)(tab, ms);
}

/** Charges computing time to a tab after the fact. A tab in debt waits longer. @param ms milliseconds */
export function oweTime(wallet: Wallet, tab: number, ms: number): void {
  tabs(wallet).owe(tab, ms);
}

/** Maximum total length of pending requests (characters), per tab and per site. */
const MAX_PENDING_CHARS = 16_000_000;

const held = part(() => new Map<string, number>());

/**
 * Counts a pending request's memory toward the limits for its tab and its site, because any number of frames can wait
 * minutes for the user's decision about one payment.
 * @param characters number of characters in the request
 * @returns a function to call when the request is answered
 * @throws ServiceError `too-many-requests`
 */
export function holdRequest(wallet: Wallet, tab: number, origin: string, characters: number): () => void {
  const keys = [`tab ${tab}`, `site ${origin}`];
  const sums = keys.map((key) => (held(wallet).get(key) ?? 0) + characters);
  if (sums.some((sum) => sum > MAX_PENDING_CHARS)) throw new ServiceError('too-many-requests');
  for (const [i, key] of keys.entries()) held(wallet).set(key, sums[i] as number);
  return () => {
    for (const key of keys) {
      const left = (held(wallet).get(key) ?? 0) - characters;
      if (left > 0) held(wallet).set(key, left);
      else held(wallet).delete(key);
    }
  };
}
