/** Access to baskets. */
import { invalidParameter } from '../../../../protocol/brc100/errors.ts';
import { isReservedBasket } from '../../baskets/names.ts';
import type { Caller } from '../caller.ts';
import { requirePermission } from '../permissions/require.ts';

/**
 * Resolves once the site may use these baskets.
 * @param ask false: the user is not asked
 * @throws Brc100Error of a basket that no application may use; ServiceError `permission-refused`, …
 */
export async function requireBaskets(baskets: Iterable<string>, caller: Caller, ask = true): Promise<void> {
  const wanted = new Set(baskets);
  for (const basket of wanted)
    if (isReservedBasket(basket)) throw invalidParameter('basket', 'a basket that is not reserved for wallets.');
  for (const basket of wanted) await requirePermission({ kind: 'basket', basket }, caller, { ask });
}
