/** What an application needs the user's permission for. */
import { ServiceError } from '../../../../protocol/errors.ts';
import type { Caller } from '../caller.ts';

/** Something that a site may or may not do. */
export type Permission =
  /** The identity key is the same everywhere: asked for once per site. */
  | { kind: 'identity' }
  /**
   * Level 0 needs none. Level 2 is asked for each counterparty (`self`, `anyone` or a public key, hex); level 1 for all
   * of them: null.
   */
  | { kind: 'protocol'; level: 1 | 2; protocol: string; counterparty: string | null }
  | { kind: 'basket'; basket: string };

/**
 * Resolves once the site has the permission, remembered or given now, and the wallet is unlocked.
 * @param options.ask false: the user is not asked (the interface's `seekPermission: false`); what is not remembered is refused
 * @throws ServiceError `permission-refused`, …
 */
export async function requirePermission(
  permission: Permission,
  caller: Caller,
  options: { ask?: boolean } = {},
): Promise<void> {
  throw new ServiceError('unsupported-method', { detail: JSON.stringify([permission, caller.origin, options]) });
}

/**
 * Resolves once the wallet is unlocked: one window for a site however many calls wait.
 * @throws ServiceError
 */
export async function requireUnlocked(caller: Caller): Promise<void> {
  throw new ServiceError('unsupported-method', { detail: caller.origin });
}
