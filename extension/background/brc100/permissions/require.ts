/** What an application needs the user's permission for. */
import { ServiceError } from '../../../../protocol/errors.ts';
import { CONNECT, isReserved, type Permission } from '../../../../protocol/permission.ts';
import { isPermitted, refuseBlockedSite } from '../../permissions/store.ts';
import type { Caller } from '../caller.ts';
import { askForGroup } from './group-prompt.ts';
import { waitInLine } from './line.ts';
import { askForPermission } from './permission-prompt.ts';
import { askToUnlock, isUnlocked } from './unlock.ts';

/**
 * Resolves once the site has the permission, remembered or given now, and the wallet is unlocked. The permission is what
 * was looked at last: whoever goes on without waiting for anything else acts on what is stored at that moment.
 * A site that is not connected yet is never asked about in a frame of another site, where nobody sees whose it is.
 * @param options.ask false: the user is not asked for it (the interface's `seekPermission: false`); what is not
 *   remembered is refused
 * @throws ServiceError `reserved-name`, `permission-refused`, `wallet-locked` (the user did not unlock it),
 *   `wallet-not-set-up`, `site-blocked`, `too-many-requests`, `busy`, `page-gone`
 */
export async function requirePermission(
  permission: Permission,
  caller: Caller,
  { ask = true }: { ask?: boolean } = {},
): Promise<void> {
  if (isReserved(permission)) throw new ServiceError('reserved-name');
  const isThere = () => isPermitted(caller.origin, permission);
  const isStranger = async ({ origin, userActivation }: Caller) =>
    userActivation === 'embedded' && !(await isPermitted(origin, CONNECT));
  await waitInLine(
    caller,
    async () => {
      // Both, always: an answer to a site without the permission must not come later where the wallet is locked.
      const unlocked = await isUnlocked();
      return (await isThere()) && unlocked;
    },
    async (client) => {
      if (await isThere()) return askToUnlock(client);
      if (!ask || (await isStranger(client))) throw new ServiceError('permission-refused');
      return (await askForGroup(permission, client)) ? null : askForPermission(permission, client);
    },
  );
}

/**
 * Resolves once the site is connected and the wallet is unlocked: for everything that depends on the seed, the lock or
 * what the wallet holds, and has no permission of its own.
 * @throws ServiceError as {@link requirePermission}
 */
export const requireConnection = (caller: Caller, options?: { ask?: boolean }): Promise<void> =>
  requirePermission(CONNECT, caller, options);

/** Is the site connected? False for one that is blocked. */
export async function isConnected(origin: string): Promise<boolean> {
  return isPermitted(origin, CONNECT).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'site-blocked') return false;
    throw error;
  });
}

/**
 * Resolves once the wallet is unlocked, for a site that the user has given something: one window of the site, however many calls wait.
 * @throws ServiceError `wallet-locked` (the user did not unlock it), `wallet-not-set-up`, `site-blocked`,
 *   `too-many-requests`, `busy`, `page-gone`
 */
export function requireUnlocked(caller: Caller): Promise<void> {
  return waitInLine(
    caller,
    async () => {
      await refuseBlockedSite(caller.origin);
      return isUnlocked();
    },
    askToUnlock,
  );
}
