/** Implements `relinquishOutput` of the BSV wallet interface (BRC-100). */
import { invalidParameter } from '../../../protocol/brc100/errors.ts';
import type { Brc100Args, Brc100Results } from '../../../protocol/brc100/methods.ts';
import { dropOutput, outputsAt } from '../../baskets/outputs.ts';
import { inTransaction } from '../../store/database.ts';
import type { Caller } from '../caller.ts';
import { requireBaskets } from './baskets.ts';
import { fromDotted } from '../../coins/coin.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Removes an output from a basket: the site's own entry or, if it has none, another site's in a shared basket. The
 * owner of the key can still spend the output.
 */
export async function relinquishOutput(
  wallet: Wallet,
  { basket, output: outpoint }: Brc100Args<'relinquishOutput'>,
  caller: Caller,
): Promise<Brc100Results['relinquishOutput']> {
  await requireBaskets(wallet, [basket], caller);
  await inTransaction(wallet, async (tx) => {
    const listed = (await outputsAt(tx, fromDotted(outpoint))).filter(({ listing }) => listing === basket);
    const output = listed.find(({ origin }) => origin === caller.origin) ?? listed[0];
    if (!output) throw invalidParameter('output', 'an unspent output of the basket.');
    await dropOutput(wallet, tx, output);
  });
  return { relinquished: true };
}
