import { ServiceError } from '../../protocol/errors/service-error.ts';
import { CONNECT, permissionName, type Permission } from '../../protocol/messages/permission.ts';
import { database, type WriteTransaction, readTransaction, type Reading } from '../store/database.ts';
import { announceChange } from '../events.ts';
import { readSite, getSite, isBlocked, refuseBlocked } from '../sites/store.ts';
import { MAX_PER_SITE, type StoredPermission } from './permission.ts';
import { hasAllowance } from '../allowances/records.ts';
import type { Wallet } from '../platform.ts';

/** Returns the range of a site's keys. IndexedDB sorts arrays after all strings (Indexed Database API 3.0, 2.4). */
const ofSite = (wallet: Wallet, origin: string) => wallet.keyRange.bound([origin], [origin, []]);

/**
 * True if the site has this permission. Any grant, including an allowance, connects a site.
 * @throws ServiceError `site-blocked` (a block suspends all of the site's permissions)
 */
export async function isPermitted(wallet: Wallet, origin: string, permission: Permission): Promise<boolean> {
  const tx = readTransaction(await database(wallet));
  const isConnection = permission.kind === 'connect';
  const [granted, allowance, site] = await Promise.all([
    hasGrant(tx, isConnection ? ofSite(wallet, origin) : [origin, permissionName(permission)]),
    isConnection && hasAllowance(wallet, tx, origin),
    getSite(tx, origin),
  ]);
  if (isBlocked(site, wallet.now())) throw new ServiceError('site-blocked');
  return granted || allowance;
}

const hasGrant = async (tx: Reading, key: [string, string] | IDBKeyRange): Promise<boolean> =>
  (await tx.objectStore('permissions').getKey(key)) !== undefined;

/** True if the permission is stored, even if the site is blocked. Reads within a transaction. */
export const isGranted = (tx: Reading, origin: string, permission: Permission): Promise<boolean> =>
  hasGrant(tx, [origin, permissionName(permission)]);

/**
 * Checks, within a transaction, that the site isn't blocked and still has these permissions, because the user may have
 * changed that during a request to the network.
 * @throws ServiceError `site-blocked`, `permission-refused`
 */
export async function refuseUnpermitted(
  wallet: Wallet,
  tx: Reading,
  origin: string,
  permissions: readonly Permission[],
): Promise<void> {
  await refuseBlocked(wallet, tx, origin);
  for (const permission of permissions)
    if (!(await isGranted(tx, origin, permission))) throw new ServiceError('permission-refused');
}

export const allPermissions = (tx: Reading): Promise<StoredPermission[]> => tx.objectStore('permissions').getAll();

/** Checks that the site isn't blocked. @throws ServiceError `site-blocked` */
export async function refuseBlockedSite(wallet: Wallet, origin: string): Promise<void> {
  if (isBlocked(await readSite(wallet, origin), wallet.now())) throw new ServiceError('site-blocked');
}

/** Returns the entries in `wanted` for which the site doesn't have permission. */
export async function missingOf<Wanted extends { permission: Permission }>(
  wallet: Wallet,
  origin: string,
  wanted: readonly Wanted[],
): Promise<Wanted[]> {
  const names = new Set(
    (await (await database(wallet)).getAll('permissions', ofSite(wallet, origin))).map(({ name }) => name),
  );
  return wanted.filter(({ permission }) => !names.has(permissionName(permission)));
}

/** Stores permissions, within a transaction. If a site exceeds its limit, its oldest permissions are deleted. */
export async function grantPermissions(
  wallet: Wallet,
  tx: WriteTransaction,
  origin: string,
  permissions: readonly Permission[],
  now = wallet.now(),
): Promise<void> {
  const store = tx.objectStore('permissions');
  for (const permission of permissions)
    await store.put({ origin, name: permissionName(permission), permission, grantedAt: now });
  const all = await store.getAll(ofSite(wallet, origin));
  const surplus = all.sort((a, b) => a.grantedAt - b.grantedAt).slice(0, Math.max(0, all.length - MAX_PER_SITE));
  for (const { name } of surplus) await store.delete([origin, name]);
}

/**
 * Revokes a permission. Revoking the connection revokes all permissions, because every other permission implies a
 * connection.
 */
export async function revokePermission(wallet: Wallet, origin: string, name: string): Promise<void> {
  if (name === permissionName(CONNECT)) return revokePermissions(wallet, origin);
  await (await database(wallet)).delete('permissions', [origin, name]);
  announceChange(wallet);
}

/** Revokes all of a site's permissions, and deletes the user's decision on its manifest. */
export async function revokePermissions(wallet: Wallet, origin: string): Promise<void> {
  const tx = (await database(wallet)).transaction(['permissions', 'manifests'], 'readwrite');
  await Promise.all([
    tx.objectStore('permissions').delete(ofSite(wallet, origin)),
    tx.objectStore('manifests').delete(origin),
    tx.done,
  ]);
  announceChange(wallet);
}

/** True if the user has already decided on the site's manifest with this hash. */
export async function isManifestDecided(wallet: Wallet, origin: string, hash: string): Promise<boolean> {
  return (await (await database(wallet)).get('manifests', origin))?.hash === hash;
}

/** Records that the user has decided on the manifest, within a transaction. */
export async function noteManifest(tx: WriteTransaction, origin: string, hash: string): Promise<void> {
  await tx.objectStore('manifests').put({ origin, hash });
}
