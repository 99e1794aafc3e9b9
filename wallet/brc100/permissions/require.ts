/** Checks the permissions required by applications. */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { CONNECT, isReserved, type Permission } from '../../../protocol/messages/permission.ts';
import { isPermitted, refuseBlockedSite } from '../../permissions/store.ts';
import type { Caller } from '../caller.ts';
import { promptForGroup } from './group-prompt.ts';
import { waitInLine } from './permission-queue.ts';
import { promptForPermission } from './permission-prompt.ts';
import { promptUnlock, isUnlocked } from './unlock.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Resolves once the site has the permission, stored or newly granted, and the wallet is unlocked. The permission is
 * read last, so a caller that continues without another await acts on the current state. An embedded frame can't prompt
 * before its site is connected, because users can't see which site it belongs to.
 * @param options.prompt false rejects a missing permission without prompting (`seekPermission: false` in BRC-100)
 * @throws ServiceError `reserved-name`, `permission-refused`, `wallet-locked` (the user didn't unlock it),
 * `wallet-not-set-up`, `site-blocked`, `too-many-requests`, `busy`, `page-gone`
 */
export async function requirePermission(
  wallet: Wallet,
  permission: Permission,
  caller: Caller,
  { prompt = true }: { prompt?: boolean } = {},
): Promise<void> {
  if (isReserved(permission)) throw new ServiceError('reserved-name');
  const isThere = () => isPermitted(wallet, caller.origin, permission);
  const isStranger = async ({ origin, userActivation }: Caller) =>
    userActivation === 'embedded' && !(await isPermitted(wallet, origin, CONNECT));
  await waitInLine(
    wallet,
    caller,
    async () => {
      // Always awaits both checks so that the duration of a rejection doesn't reveal whether the wallet is locked.
      const unlocked = await isUnlocked(wallet);
      return (await isThere()) && unlocked;
    },
    async (client) => {
      if (await isThere()) return promptUnlock(wallet, client);
      if (!prompt || (await isStranger(client))) throw new ServiceError('permission-refused');
      return (await promptForGroup(wallet, permission, client))
        ? null
        : promptForPermission(wallet, permission, client);
    },
  );
}

/**
 * Resolves once the site is connected and the wallet is unlocked. Used by methods that need no permission, but whose
 * responses depend on the keys, the lock state or the wallet's contents.
 * @throws ServiceError those of {@link requirePermission}
 */
export const requireConnection = (wallet: Wallet, caller: Caller, options?: { prompt?: boolean }): Promise<void> =>
  requirePermission(wallet, CONNECT, caller, options);

/** True if the site is connected and not blocked. */
export async function isConnected(wallet: Wallet, origin: string): Promise<boolean> {
  return isPermitted(wallet, origin, CONNECT).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'site-blocked') return false;
    throw error;
  });
}

/**
 * Resolves once the wallet is unlocked, for a site that already has a permission. All calls from a site share one window.
 * @throws ServiceError `wallet-locked` (the user didn't unlock it), `wallet-not-set-up`, `site-blocked`,
 * `too-many-requests`, `busy`, `page-gone`
 */
export function requireUnlocked(wallet: Wallet, caller: Caller): Promise<void> {
  return waitInLine(
    wallet,
    caller,
    async () => {
      await refuseBlockedSite(wallet, caller.origin);
      return isUnlocked(wallet);
    },
    (caller) => promptUnlock(wallet, caller),
  );
}
