import { database, inTransaction, type WriteTransaction } from '../database.ts';
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
import { ServiceError } from '../../../protocol/errors.ts';

export async function readSite(origin: string): Promise<Site | undefined> {
  return (await database()).get('sites', origin);
}

/** Records that a window of a site was dismissed, with the reason. */
export async function recordRejection(tx: WriteTransaction, origin: string, by: 'user' | 'page'): Promise<void> {
  const sites = tx.objectStore('sites');
  await sites.put(afterRejection((await sites.get(origin)) ?? newSite(origin), Date.now(), by));
}

export async function recordApproval(tx: WriteTransaction, origin: string): Promise<void> {
  const sites = tx.objectStore('sites');
  const site = await sites.get(origin);
  if (site) await sites.put(afterApproval(site));
}

/** Blocks a site until a time (milliseconds since 1970), and ends its pending requests and payments. */
export async function recordBlock(tx: WriteTransaction, origin: string, until: number): Promise<void> {
  const sites = tx.objectStore('sites');
  await sites.put({ ...((await sites.get(origin)) ?? newSite(origin)), blockedUntil: until });
  await announceRevocation(tx, { origin, allowance: null });
}

/** Blocks a site until a time as {@link recordBlock} does, or unblocks it (null). */
export async function setBlock(origin: string, until: number | null): Promise<void> {
  await inTransaction(async (tx) => {
    if (until !== null) return recordBlock(tx, origin, until);
    const sites = tx.objectStore('sites');
    const site = (await sites.get(origin)) ?? newSite(origin);
    // An unblocked site is reset: earlier rejections no longer count.
    await sites.put({ ...afterApproval(site), blockedUntil: null });
  });
  announceChange();
}

/** Records coins that a site had set aside and that are free again. */
export async function noteSetAside(tx: WriteTransaction, origin: string, free: SetAside): Promise<void> {
  const sites = tx.objectStore('sites');
  await sites.put(afterSetAside((await sites.get(origin)) ?? newSite(origin), free, Date.now()));
}

/** Satoshis that a site has set aside and not spent within the last hour. */
export async function recentlySetAside(tx: WriteTransaction, origin: string, now: number): Promise<bigint> {
  const site = await tx.objectStore('sites').get(origin);
  return site ? latelySetAside(site, now).reduce((sum, { satoshis }) => sum + satoshis, 0n) : 0n;
}

/** Deletes records of sites that aren't needed any more. */
export async function pruneSites(): Promise<void> {
  const tx = (await database()).transaction('sites', 'readwrite');
  for (const site of await tx.store.getAll()) if (isForgotten(site, Date.now())) await tx.store.delete(site.origin);
  await tx.done;
}

/** @throws ServiceError `site-blocked` */
export async function refuseBlocked(tx: WriteTransaction, origin: string): Promise<void> {
  if (isBlocked(await tx.objectStore('sites').get(origin), Date.now())) throw new ServiceError('site-blocked');
}
