/** Checks whether unconfirmed incoming transactions have been confirmed or have disappeared. */
import { provenBlock } from '../chain/headers/spv.ts';
import { markFailed, recordCheck } from '../coins/gone.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import { confirmTransaction } from '../coins/coin-store.ts';
import { database, readTransaction } from '../store/database.ts';
import { isCheckDue, checkReceipt, QUESTIONS } from './gone.ts';
import { inAnyOrder } from './spent.ts';
import type { Work } from './work.ts';
import { announceChange } from '../events.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import { coinsMadeBy } from '../coins/records.ts';
import { getReceipts, receiptsUnconfirmed } from '../coins/receipts/receipts.ts';
import type { Wallet } from '../platform.ts';

/** Requests proofs for transactions that the index reports as mined, and for those missing from its lists. */
export async function checkUnconfirmed(wallet: Wallet, info: NetworkInfo, work: Work): Promise<void> {
  const mined: string[] = [];
  for (const txid of work.mined) {
    if ((await coinsMadeBy(readTransaction(await database(wallet)), txid)).some(({ height }) => height === null))
      mined.push(txid);
  }
  // Money that was received and spent again while unconfirmed isn't in any list of coins, so the transaction's proof is
  // requested separately.
  const receipts = await receiptsUnconfirmed(readTransaction(await database(wallet)));
  await Promise.all(receipts.map((receipt) => noteSeen(wallet, receipt, work)));
  // A mined transaction with the same inputs is a double spend, or the same payment under a different ID.
  const found = await getReceipts(readTransaction(await database(wallet)), mined);
  const spent = new Set(found.flatMap(({ spends = [] }) => spends));
  const listed = new Set(receipts.filter(({ txid }) => work.shown.has(txid)).flatMap(({ spends = [] }) => spends));
  /** True if the index lists an unmined transaction with the same inputs instead. */
  const isReplaced = ({ failed, spends = [] }: Receipt) => !failed && spends.some((key) => listed.has(key));
  const isDue = (receipt: Receipt) =>
    isCheckDue(receipt, wallet.now()) ||
    // If the last check found the transaction, the next one is due only after some time.
    (isReplaced(receipt) && receipt.look?.unknown !== 0) ||
    (receipt.spends?.some((key) => spent.has(key)) ?? false);
  const due = receipts.filter(
    (receipt) => !work.shown.has(receipt.txid) && !work.mined.has(receipt.txid) && (!receipt.failed || isDue(receipt)),
  );
  for (const [txid, receipt] of [
    ...inAnyOrder(wallet, mined).map((one) => [one, null] as const),
    ...inAnyOrder(wallet, due).map((one) => [one.txid, one] as const),
  ]) {
    if (!work.checks.left || work.isOver) return;
    work.checks.took(1);
    await work.passingOver(async () => {
      const block = await provenBlock(wallet, info, txid);
      if (block) {
        await confirmTransaction(wallet, txid, block);
        announceChange(wallet);
      } else if (receipt && isDue(receipt)) {
        work.checks.took(QUESTIONS);
        await checkReceipt(wallet, info, receipt, isReplaced(receipt));
      }
    });
  }
}

/**
 * Records that the index lists a transaction's coins again. If the transaction is marked as failed, the coins remain
 * excluded from the balance, including any that a payment has released.
 */
async function noteSeen(wallet: Wallet, { txid, failed, look }: Receipt, work: Work): Promise<void> {
  if (failed && look) await markFailed(wallet, txid, failed, look);
  else if (look?.unknown && work.shown.has(txid))
    await recordCheck(wallet, txid, { ...look, unknown: 0, since: look.at });
}
