/**
 * Site records: rejections, blocks and reserved coins. Functions that take neither a wallet nor a transaction are pure.
 */
import { database, inTransaction, type WriteTransaction, readTransaction, type Reading } from '../store/database.ts';
import type { ReservedCoins, Site } from './site.ts';
import { announceRevocation } from './revocation.ts';
import { announceChange } from '../events.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Wallet } from '../platform.ts';

const FIRST_WAIT_MS = 5000;
const MAX_WAIT_MS = 300_000;
/** Time after which a site's earlier rejections no longer count (milliseconds). */
const QUIET_MS = 3600_000;
/** How long reserved coins count toward their site's total, even after it has released them (milliseconds). */
const SET_ASIDE_FOR_MS = 3600_000;
const MINUTE_MS = 60_000;
/** Time within which two rejections make the next window offer to block the site (milliseconds). */
const CLOSE_TOGETHER_MS = 60_000;

export function newSite(origin: string): Site {
  return { origin, refusedAt: [], dismissals: 0, endedAt: 0, blockedUntil: null };
}

/** Returns a site's record after the user rejected a window, or the page withdrew it. */
export function afterRejection(site: Site, now: number, by: 'user' | 'page'): Site {
  const dismissals = now - site.endedAt > QUIET_MS ? 1 : site.dismissals + 1;
  return {
    ...site,
    dismissals: dismissals,
    endedAt: now,
    refusedAt: by === 'user' ? [...site.refusedAt, now].slice(-2) : site.refusedAt,
  };
}

export function afterApproval(site: Site): Site {
  return { ...site, dismissals: 0, refusedAt: [] };
}

export function isBlocked(site: Site | undefined, now: number): boolean {
  return site !== undefined && site.blockedUntil !== null && now < site.blockedUntil;
}

/**
 * True if only a user gesture may open a window: for 5 s after the first rejection, doubled after each additional one,
 * up to 5 minutes.
 */
export function mustWait(site: Site | undefined, now: number): boolean {
  if (!site || site.dismissals === 0 || now - site.endedAt > QUIET_MS) return false;
  return now < site.endedAt + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(site.dismissals - 1, 10));
}

/** True if the site's next window should offer to block it. */
export function offersBlock(site: Site | undefined, now: number): boolean {
  const [before, last] = site?.refusedAt ?? [];
  return before !== undefined && last !== undefined && last - before <= CLOSE_TOGETHER_MS && now - last <= QUIET_MS;
}

/**
 * Returns coins reserved and not spent within the last hour. Ignores times in the future, which come from a wrong
 * clock.
 */
export function reservedLately({ setAside = [] }: Pick<Site, 'setAside'>, now: number): ReservedCoins[] {
  return setAside.filter(({ at }) => Math.abs(now - at) < SET_ASIDE_FOR_MS);
}

/** Returns a site's record after coins that it reserved at the given time (milliseconds since 1970) were released. */
export function withReserved(site: Site, { at, satoshis }: ReservedCoins, now: number): Site {
  const minute = at - (at % MINUTE_MS);
  const lately = reservedLately(site, now);
  const same = lately.find((one) => one.at === minute);
  const sum = { at: minute, satoshis: satoshis + (same?.satoshis ?? 0n) };
  return { ...site, setAside: [...lately.filter((one) => one !== same), sum] };
}

/** True if a site's record can be deleted: inactive for a day, not blocked, and without recently reserved coins. */
export function isForgotten(site: Site, now: number): boolean {
  return !isBlocked(site, now) && now - site.endedAt > 24 * QUIET_MS && reservedLately(site, now).length === 0;
}

export async function readSite(wallet: Wallet, origin: string): Promise<Site | undefined> {
  return getSite(readTransaction(await database(wallet)), origin);
}

/** Same as {@link readSite}, within a transaction. */
export const getSite = (tx: Reading, origin: string): Promise<Site | undefined> => tx.objectStore('sites').get(origin);

export const allSites = (tx: Reading): Promise<Site[]> => tx.objectStore('sites').getAll();

/** Records that the user rejected a site's window, or that the page withdrew it. */
export async function recordRejection(
  wallet: Wallet,
  tx: WriteTransaction,
  origin: string,
  by: 'user' | 'page',
): Promise<void> {
  const sites = tx.objectStore('sites');
  await sites.put(afterRejection((await sites.get(origin)) ?? newSite(origin), wallet.now(), by));
}

export async function recordApproval(tx: WriteTransaction, origin: string): Promise<void> {
  const sites = tx.objectStore('sites');
  const site = await sites.get(origin);
  if (site) await sites.put(afterApproval(site));
}

/** Blocks a site until a time (milliseconds since 1970), and ends its pending requests and payments. */
export async function recordBlock(wallet: Wallet, tx: WriteTransaction, origin: string, until: number): Promise<void> {
  const sites = tx.objectStore('sites');
  await sites.put({ ...((await sites.get(origin)) ?? newSite(origin)), blockedUntil: until });
  await announceRevocation(wallet, tx, { origin, allowance: null });
}

/** Blocks a site until a time, like {@link recordBlock}, or unblocks it (null). */
export async function setBlock(wallet: Wallet, origin: string, until: number | null): Promise<void> {
  await inTransaction(wallet, async (tx) => {
    if (until !== null) return recordBlock(wallet, tx, origin, until);
    const sites = tx.objectStore('sites');
    const site = (await sites.get(origin)) ?? newSite(origin);
    // Unblocking a site resets it, so earlier rejections no longer count.
    await sites.put({ ...afterApproval(site), blockedUntil: null });
  });
  announceChange(wallet);
}

/** Records the release of coins that a site had reserved. */
export async function recordReserved(
  wallet: Wallet,
  tx: WriteTransaction,
  origin: string,
  free: ReservedCoins,
): Promise<void> {
  const sites = tx.objectStore('sites');
  await sites.put(withReserved((await sites.get(origin)) ?? newSite(origin), free, wallet.now()));
}

/** Returns the satoshis that a site has reserved and not spent within the last hour. */
export async function reservedRecently(tx: WriteTransaction, origin: string, now: number): Promise<bigint> {
  const site = await getSite(tx, origin);
  return site ? reservedLately(site, now).reduce((sum, { satoshis }) => sum + satoshis, 0n) : 0n;
}

/** Deletes site records that are no longer needed. */
export async function pruneSites(wallet: Wallet): Promise<void> {
  const tx = (await database(wallet)).transaction('sites', 'readwrite');
  for (const site of await tx.store.getAll()) if (isForgotten(site, wallet.now())) await tx.store.delete(site.origin);
  await tx.done;
}

/** Checks, within a transaction, that a site isn't blocked. @throws ServiceError `site-blocked` */
export async function refuseBlocked(wallet: Wallet, tx: Reading, origin: string): Promise<void> {
  if (isBlocked(await getSite(tx, origin), wallet.now())) throw new ServiceError('site-blocked');
}
