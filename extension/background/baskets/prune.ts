/** Outputs that nobody can spend any more are forgotten after a while, lest they fill the disk and their site's room. */
import { database, inTransaction, type WriteTransaction } from '../database.ts';
import type { AppOutput } from './app-output.ts';
import { countFromNow, forgetOutput, isOver } from './outputs.ts';

/** So long after it was spent, or came to nothing (milliseconds): no reorganisation reaches back a week. */
const KEPT_MS = 7 * 24 * 3600_000;
/** How many are looked at each time, from anywhere on: the worker ends between two times, and would begin anew. */
const AT_ONCE = 500;

/**
 * Forgets what is over, of those whose turn it is.
 * @param watched outpoints that something unknown spent which no block holds yet: they may be there again
 */
export async function pruneOutputs(watched: ReadonlySet<string>): Promise<void> {
  const db = await database();
  const last = (await db.transaction('appOutputs').store.openKeyCursor(null, 'prev'))?.key ?? 0;
  const after = Math.floor(Math.random() * last);
  const some = await db.getAll('appOutputs', IDBKeyRange.lowerBound(after, true), AT_ONCE);
  if (some.length < AT_ONCE)
    some.push(...(await db.getAll('appOutputs', IDBKeyRange.upperBound(after), AT_ONCE - some.length)));
  const over = some.filter(({ status, outpoint }) => isOver(status) && !watched.has(outpoint));
  const now = Date.now();
  // A time to come was noted before the clock was put back.
  const old = over.filter(({ overSince = 0 }) => overSince < now - KEPT_MS || overSince > now);
  if (old.length === 0) return;
  await inTransaction(async (tx) => {
    for (const { id } of old) {
      const output = await tx.objectStore('appOutputs').get(id);
      if (!output || !isOver(output.status)) continue;
      if (output.overSince === undefined || output.overSince > now) await countFromNow(tx, output);
      else if (await isDecided(tx, output)) await forgetOutput(tx, output);
    }
  });
}

/** Does a block hold the payment that spends it, or has the one that makes it failed? What strangers did is long ago. */
async function isDecided(tx: WriteTransaction, { status, spentBy, madeBy }: AppOutput): Promise<boolean> {
  const payments = tx.objectStore('payments');
  if (status === 'void') return madeBy === null || (await payments.get(madeBy))?.state !== 'signed';
  return spentBy === null || (await payments.get(spentBy))?.height !== null;
}
