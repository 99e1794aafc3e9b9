/** Checks unconfirmed incoming transactions: whether a block contains them now, or they are gone. */
import { provenBlock } from '../chain/spv.ts';
import { markGone, noteLook } from '../coins/gone.ts';
import type { Receipt } from '../coins/receipt.ts';
import { confirmTransaction } from '../coins/store.ts';
import { database } from '../database.ts';
import { isLookDue, lookForGone, QUESTIONS } from './gone.ts';
import { inAnyOrder } from './spent.ts';
import type { Work } from './work.ts';
import { announceChange } from '../events.ts';
import type { NetworkInfo } from '../chain/network-info.ts';

/** Asks for proofs, as far as the refresh may: of what the index calls mined, and of what it did not show. */
export async function checkUnconfirmed(info: NetworkInfo, work: Work): Promise<void> {
  const db = await database();
  const mined: string[] = [];
  for (const txid of work.mined) {
    if ((await db.getAllFromIndex('coins', 'txid', txid)).some(({ height }) => height === null)) mined.push(txid);
  }
  // Incoming money that was spent before it was in a block is in no list of coins any more: its proof is requested
  // separately.
  const receipts = await db.getAllFromIndex('receipts', 'unconfirmed', 1);
  await Promise.all(receipts.map((receipt) => noteSeen(receipt, work)));
  const due = receipts.filter(
    (receipt) =>
      !work.shown.has(receipt.txid) &&
      !work.mined.has(receipt.txid) &&
      (!receipt.failed || isLookDue(receipt, Date.now())),
  );
  for (const [txid, receipt] of [
    ...inAnyOrder(mined).map((one) => [one, null] as const),
    ...inAnyOrder(due).map((one) => [one.txid, one] as const),
  ]) {
    if (!work.checks.left || work.isOver) return;
    work.checks.took(1);
    await work.passingOver(async () => {
      const block = await provenBlock(info, txid);
      if (block) {
        await confirmTransaction(txid, block);
        announceChange();
      } else if (receipt && isLookDue(receipt, Date.now())) {
        work.checks.took(QUESTIONS);
        await lookForGone(info, receipt);
      }
    });
  }
}

/**
 * What the index shows is not gone, and what is gone stays out of the balance, whichever payment has given its coin
 * back since.
 */
async function noteSeen({ txid, failed, look }: Receipt, work: Work): Promise<void> {
  if (failed && look) await markGone(txid, failed, look);
  else if (look?.unknown && work.shown.has(txid)) await noteLook(txid, { at: look.at, unknown: 0, since: look.at });
}
