import { database, inTransaction, type WriteTransaction, readTransaction, type Reading } from '../store/database.ts';
import {
  afterRejection,
  afterApproval,
  afterSetAside,
  isBlocked,
  isForgotten,
  latelySetAside,
  newSite,
  type SetAside,
  type Site,
} from './site.ts';
import { announceRevocation } from './revocation.ts';
import { announceChange } from '../events.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Wallet } from '../platform.ts';

export async function readSite(wallet: Wallet, origin: string): Promise<Site | undefined> {
  return getSite(readTransaction(await database(wallet)), origin);
}

/** Same as {@link readSite}, within a transaction. */
export const getSite = (tx: Reading, origin: string): Promise<Site | undefined> => tx.objectStore('sites').get(origin);

export const allSites = (tx: Reading): Promise<Site[]> => tx.objectStore('sites').getAll();

/** Records that a site's window was rejected by the user or withdrawn by the page. */
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

/** Records coins that a site had reserved and that were released. */
export async function noteSetAside(
  wallet: Wallet,
  tx: WriteTransaction,
  origin: string,
  free: SetAside,
): Promise<void> {
  const sites = tx.objectStore('sites');
  await sites.put(afterSetAside((await sites.get(origin)) ?? newSite(origin), free, wallet.now()));
}

/** Returns the satoshis that a site has reserved and not spent within the last hour. */
export async function recentlySetAside(tx: WriteTransaction, origin: string, now: number): Promise<bigint> {
  const site = await getSite(tx, origin);
  return site ? latelySetAside(site, now).reduce((sum, { satoshis }) => sum + satoshis, 0n) : 0n;
}

/** Deletes records of sites that are no longer needed. */
export async function pruneSites(wallet: Wallet): Promise<void> {
  const tx = (await database(wallet)).transaction('sites', 'readwrite');
  for (const site of await tx.store.getAll()) if (isForgotten(site, wallet.now())) await tx.store.delete(site.origin);
  await tx.done;
}

/** @throws ServiceError `site-blocked` */
export async function refuseBlocked(wallet: Wallet, tx: WriteTransaction, origin: string): Promise<void> {
  if (isBlocked(await getSite(tx, origin), wallet.now())) throw new ServiceError('site-blocked');
}
