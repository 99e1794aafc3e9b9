/** The prompt for a single permission. */
import { CONNECT, permissionName, type Permission } from '../../../protocol/messages/permission.ts';
import type { PermissionPromptView } from '../../../protocol/messages/wallet-messages.ts';
import { grantPermissions, isPermitted } from '../../permissions/store.ts';
import { promptUser } from '../../prompts/request.ts';
import { resolvePrompt } from '../../prompts/decide.ts';
import type { PromptKind } from '../../prompts/kinds.ts';
import { publicKeys } from '../../vault/vault.ts';
import type { Caller } from '../caller.ts';
import { isPromptedAgain } from './permission-queue.ts';
import { part, type Wallet } from '../../platform.ts';

/** Stored details: the permission, and the message of the first call that requested it. */
interface Details {
  permission: Permission;
  /** True if the approval also connects the site. */
  connects?: boolean;
  call: string;
}

export const permissionPrompt = part((wallet): PromptKind<Details, null, PermissionPromptView> => ({
  name: 'permission',
  approvedBy: 'permit',
  declined: 'permission-refused',

  async view({ details: { permission, connects = false } }) {
    const publicKey = permission.kind === 'identity' ? (await publicKeys(wallet)).identity : null;
    return { kind: 'permission', permission, publicKey, connects };
  },

  /** Stores the permission and the answer in one transaction. */
  approve: (prompt) =>
    resolvePrompt(wallet, prompt, async (tx) => {
      const { permission, connects } = prompt.details;
      await grantPermissions(wallet, tx, prompt.origin, connects ? [CONNECT, permission] : [permission]);
      return null;
    }),
}));

/**
 * Prompts the user for a single permission.
 * @throws ServiceError `wallet-not-set-up`, `permission-refused`, `busy`, `too-many-requests`, `site-blocked`,
 * `page-gone`
 */
export function promptForPermission(wallet: Wallet, permission: Permission, caller: Caller): Promise<null> {
  return promptUser(
    wallet,
    permissionPrompt(wallet),
    { ...caller, message: `permission ${permissionName(permission)}` },
    async () => {
      const connects = permission.kind !== 'connect' && !(await isPermitted(wallet, caller.origin, CONNECT));
      return { permission, connects, call: caller.message };
    },
    () => true,
    (ended) => isPromptedAgain(wallet, ended, permissionPrompt(wallet).declined, caller),
  );
}
