/** Deletes outputs that can no longer be spent, so they don't fill the disk or their site's quota. */
import { database, inTransaction, type WriteTransaction } from '../store/database.ts';
import type { AppOutput } from './app-output.ts';
import { countFromNow, forgetOutput, isOver } from './outputs.ts';
import { getLight } from '../payments/store.ts';
import type { Wallet } from '../platform.ts';

/** How long spent or void outputs are retained (milliseconds): longer than any reorganization. */
const KEPT_MS = 7 * 24 * 3600_000;
/** The same for outputs of an action that the user ended (milliseconds). Others may still get it mined. */
const OF_ENDED_KEPT_MS = 30 * 24 * 3600_000;
/**
 * Number of outputs checked per run. Each run starts at a random output, because the worker may stop before the last
 * one.
 */
const OUTPUTS_PER_RUN = 500;

/**
 * Deletes some of the outputs that are past their retention period.
 * @param watched outpoints that may become available again, because their spender is unknown and unconfirmed
 */
export async function pruneOutputs(wallet: Wallet, watched: ReadonlySet<string>): Promise<void> {
  const db = await database(wallet);
  const last = (await db.transaction('appOutputs').store.openKeyCursor(null, 'prev'))?.key ?? 0;
  const after = Math.floor(wallet.random() * last);
  const some = await db.getAll('appOutputs', wallet.keyRange.lowerBound(after, true), OUTPUTS_PER_RUN);
  if (some.length < OUTPUTS_PER_RUN)
    some.push(...(await db.getAll('appOutputs', wallet.keyRange.upperBound(after), OUTPUTS_PER_RUN - some.length)));
  const over = some.filter(({ status, outpoint }) => isOver(status) && !watched.has(outpoint));
  const now = wallet.now();
  // A time in the future was recorded before the clock was set back.
  const old = over.filter(({ overSince = 0 }) => overSince < now - KEPT_MS || overSince > now);
  if (old.length === 0) return;
  await inTransaction(wallet, async (tx) => {
    for (const { id } of old) {
      const output = await tx.objectStore('appOutputs').get(id);
      if (!output || !isOver(output.status)) continue;
      if (output.overSince === undefined || output.overSince > now) await countFromNow(wallet, tx, output);
      else if (await isDecided(tx, output, now)) await forgetOutput(wallet, tx, output);
    }
  });
}

/**
 * True if the output's spend is mined, the payment that creates it was never signed or has lost to a mined one, or the
 * user ended that payment long ago.
 */
async function isDecided(
  tx: WriteTransaction,
  { status, spentBy, madeBy, overSince = 0 }: AppOutput,
  now: number,
): Promise<boolean> {
  if (status === 'void') {
    const maker = madeBy === null ? undefined : await getLight(tx, madeBy);
    if (!maker?.signed || maker.ended !== null) return true;
    return maker.state === 'failed' && overSince < now - OF_ENDED_KEPT_MS;
  }
  return spentBy === null || (await getLight(tx, spentBy))?.height !== null;
}
