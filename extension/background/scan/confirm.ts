/** What came in and no checked block holds yet: is it in one now? */
import { announceChange } from '../changes.ts';
import { provenBlock } from '../chain/evidence.ts';
import type { NetworkInfo } from '../chain/network.ts';
import { confirmTransaction } from '../coins/store.ts';
import { database } from '../database.ts';
import { inAnyOrder } from './spent.ts';
import type { Work } from './work.ts';

/** Asks for proofs, as far as the refresh may: of what the index calls mined, and of what it did not show. */
export async function checkUnconfirmed(info: NetworkInfo, work: Work): Promise<void> {
  const db = await database();
  const mined: string[] = [];
  for (const txid of work.mined) {
    if ((await db.getAllFromIndex('coins', 'txid', txid)).some(({ height }) => height === null)) mined.push(txid);
  }
  // What came in and was spent before a block held it is in no list of coins any more: its proof is asked for by itself.
  const receipts = (await db.getAllFromIndex('receipts', 'unconfirmed', 1)).map(({ txid }) => txid).filter((txid) => !work.shown.has(txid) && !mined.includes(txid));
  for (const txid of [...inAnyOrder(mined), ...inAnyOrder(receipts)]) {
    if (!work.checks.left || work.isOver) return;
    work.checks.took(1);
    await work.passingOver(async () => {
      const block = await provenBlock(info, txid);
      if (!block) return;
      await confirmTransaction(txid, block);
      announceChange();
    });
  }
}
