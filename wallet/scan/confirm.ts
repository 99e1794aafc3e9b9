/** Checks whether unconfirmed incoming transactions have been confirmed or have disappeared. */
import { provenBlock } from '../chain/headers/spv.ts';
import { markFailed, recordCheck } from '../coins/gone.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import { confirmTransaction } from '../coins/coin-store.ts';
import { database, readTransaction, type Reading } from '../store/database.ts';
import { getLight, idsSpendingOutputs, lightSpenders } from '../payments/store.ts';
import { isCheckDue, checkReceipt, QUESTIONS } from './gone.ts';
import { inAnyOrder } from './spent.ts';
import type { Work } from './work.ts';
import { announceChange } from '../events.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import { coinsMadeBy, getCoin } from '../coins/records.ts';
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
  const isDue = (receipt: Receipt) =>
    isCheckDue(receipt, wallet.now()) || (receipt.spends?.some((key) => spent.has(key)) ?? false);
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
        return;
      }
      if (!receipt) return;
      const isReplaced = await isReplacedOnIndex(wallet, receipt, receipts, work.shown);
      // If the last check of a replaced transaction found it, the next one is due only after some time.
      if (!isDue(receipt) && !(isReplaced && receipt.look?.unknown !== 0)) return;
      work.checks.took(QUESTIONS);
      await checkReceipt(wallet, info, receipt, isReplaced);
    });
  }
}

/** True if the index has an unmined transaction with one of the same inputs instead, or lists one of them as unspent. */
async function isReplacedOnIndex(
  wallet: Wallet,
  { txid, failed, spends = [] }: Receipt,
  receipts: readonly Receipt[],
  shown: ReadonlySet<string>,
): Promise<boolean> {
  if (failed) return false;
  const tx = readTransaction(await database(wallet));
  const keys = new Set(spends);
  const rivals = new Set(receipts.filter((one) => one.spends?.some((key) => keys.has(key))).map((one) => one.txid));
  const spendersOf = lightSpenders(tx);
  for (const key of keys) {
    // A coin becomes available again only if the index lists it as unspent.
    if ((await getCoin(tx, key))?.status === 'available') return true;
    for (const { signed } of await spendersOf(key)) if (signed) rivals.add(signed.txid);
  }
  rivals.delete(txid);
  for (const rival of rivals) if (await isOnIndex(wallet, tx, rival, receipts, shown)) return true;
  return false;
}

/** Maximum number of transactions that are read to find out whether the index has one that they depend on. */
const MAX_DESCENDANTS = 50;

/** True if the index lists outputs of a transaction, or of a stored transaction that depends on it. */
async function isOnIndex(
  wallet: Wallet,
  tx: Reading,
  txid: string,
  receipts: readonly Receipt[],
  shown: ReadonlySet<string>,
): Promise<boolean> {
  const found = new Set([txid]);
  for (const maker of found) {
    if (shown.has(maker)) return true;
    if (found.size >= MAX_DESCENDANTS) continue;
    for (const { txid: spender, spends } of receipts)
      if (spends?.some((key) => key.startsWith(maker))) found.add(spender);
    for (const id of await idsSpendingOutputs(wallet, tx, maker)) {
      const signed = (await getLight(tx, id))?.signed;
      if (signed) found.add(signed.txid);
    }
  }
  return false;
}

/**
 * Records that the index lists a transaction's coins again. If the transaction is marked as failed, the coins remain
 * excluded from the balance, including any that a payment has released.
 */
async function noteSeen(wallet: Wallet, { txid, failed, look }: Receipt, work: Work): Promise<void> {
  if (failed && look) {
    const coins = await coinsMadeBy(readTransaction(await database(wallet)), txid);
    if (coins.some(({ status }) => status === 'available')) await markFailed(wallet, txid, failed, look);
  } else if (look?.unknown && work.shown.has(txid))
    await recordCheck(wallet, txid, { ...look, unknown: 0, since: look.at });
}
