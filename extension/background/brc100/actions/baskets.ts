/** Access to baskets. */
import { invalidParameter } from '../../../../protocol/brc100/errors.ts';
import { ServiceError } from '../../../../protocol/errors.ts';
import { isReserved } from '../../../../protocol/permission.ts';
import { database } from '../../database.ts';
import type { Caller } from '../caller.ts';
import { requirePermission } from '../permissions/require.ts';

/**
 * Resolves once the site may use these baskets. Where one of them is nobody's, the user is asked about none.
 * @param ask false: the user is not asked
 * @throws ServiceError `reserved-name`, `permission-refused`, …
 */
export async function requireBaskets(baskets: Iterable<string>, caller: Caller, ask = true): Promise<void> {
  const wanted = [...new Set(baskets)].map((basket) => ({ kind: 'basket' as const, basket }));
  if (wanted.some(isReserved)) throw new ServiceError('reserved-name');
  for (const permission of wanted) await requirePermission(permission, caller, { ask });
}

/**
 * What the wallet's own keys spend is money, and in no basket. Asked once the site may use the basket: which addresses
 * are the user's is nobody else's business.
 * @param scripts hex
 * @throws Brc100Error
 */
export async function refuseOwnMoney(scripts: readonly string[]): Promise<void> {
  const db = await database();
  for (const script of scripts)
    if ((await db.getKey('addresses', script)) !== undefined)
      throw invalidParameter('basket', 'missing for what pays the wallet’s own addresses.');
}
