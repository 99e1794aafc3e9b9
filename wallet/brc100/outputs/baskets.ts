import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { isReserved } from '../../../protocol/messages/permission.ts';
import type { Caller } from '../caller.ts';
import { requirePermission } from '../permissions/require.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Resolves once the site has permission for these baskets. If any basket's name is reserved, the user isn't prompted.
 * @param prompt false if the user must not be prompted
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
