/** What an application needs the user's permission for. */
import { ServiceError } from '../../../../protocol/errors.ts';
import { isReserved, type Permission } from '../../../../protocol/permission.ts';
import { isPermitted, refuseBlockedSite } from '../../permissions/store.ts';
import type { Caller } from '../caller.ts';
import { askForGroup } from './group-prompt.ts';
import { waitInLine } from './line.ts';
import { askForPermission } from './permission-prompt.ts';
import { askToUnlock, isUnlocked } from './unlock.ts';

/**
 * Resolves once the site has the permission, remembered or given now, and the wallet is unlocked. The permission is what
 * was looked at last: whoever goes on without waiting for anything else acts on what is stored at that moment.
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
  await waitInLine(
    caller,
    async () => (await isUnlocked()) && (await isThere()),
    async (client) => {
      if (await isThere()) return askToUnlock(client);
      if (!ask) throw new ServiceError('permission-refused');
      return (await askForGroup(permission, client)) ? null : askForPermission(permission, client);
    },
  );
}

/**
 * Resolves once the wallet is unlocked: one window of the site, however many calls wait.
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
