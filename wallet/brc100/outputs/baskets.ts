import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { isReserved } from '../../../protocol/messages/permission.ts';
import type { Caller } from '../caller.ts';
import { requirePermission } from '../permissions/require.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Resolves once the site may use these baskets. If one of them is reserved, the user isn't asked about any.
 * @param prompt false: the user is not prompted
 * @throws ServiceError `reserved-name`, `permission-refused`, …
 */
export async function requireBaskets(
  wallet: Wallet,
  baskets: Iterable<string>,
  caller: Caller,
  prompt = true,
): Promise<void> {
  const wanted = [...new Set(baskets)].map((basket) => ({ kind: 'basket' as const, basket }));
  if (wanted.some(isReserved)) throw new ServiceError('reserved-name');
  for (const permission of wanted) await requirePermission(wallet, permission, caller, { prompt });
}
