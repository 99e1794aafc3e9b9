/**
 * The store of receipts, which only this file accesses. Functions with a transaction are part of it; `readTransaction`
 * (database.ts) begins one that only reads.
 */
import { database, readTransaction, type Reading, type WriteTransaction } from '../../store/database.ts';
import { latest, type LatestIndex } from '../../store/latest-records.ts';
import type { Receipt } from './receipt.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { moveReceipt, receiptState, type ReceiptMove } from './move-receipt.ts';
import type { Wallet } from '../../platform.ts';

const stored = (tx: Reading) => tx.objectStore('receipts');

export async function readReceipt(wallet: Wallet, txid: string): Promise<Receipt | undefined> {
  return getReceipt(readTransaction(await database(wallet)), txid);
}

export const getReceipt = (tx: Reading, txid: string): Promise<Receipt | undefined> => stored(tx).get(txid);

/** Several, as far as there are any. */
export async function getReceipts(tx: Reading, txids: Iterable<string>): Promise<Receipt[]> {
  const found = await Promise.all([...txids].map((txid) => getReceipt(tx, txid)));
  return found.filter((receipt) => receipt !== undefined);
}

export const hasReceipt = async (tx: Reading, txid: string): Promise<boolean> =>
  (await stored(tx).getKey(txid)) !== undefined;

export const countReceipts = (tx: Reading): Promise<number> => stored(tx).count();

/** Those that no checked proof places in a block yet. */
export const receiptsUnconfirmed = (tx: Reading): Promise<Receipt[]> => stored(tx).index('unconfirmed').getAll(1);

/** Those that blocks above a height contain. */
export const receiptsMinedAbove = (tx: Reading, height: number): Promise<Receipt[]> =>
  stored(tx).index('height').getAll(IDBKeyRange.lowerBound(height, true));

/** Transactions (ids) that the account's service is still to be queried about. */
export const txidsUnasked = (tx: Reading, most: number): Promise<string[]> =>
  stored(tx).index('unasked').getAllKeys(1, most);

/** The latest ones, in order of time. */
export const latestReceipts = (tx: Reading, most: number): Promise<Receipt[]> =>
  latest(
    stored(tx).index('createdAt') as unknown as LatestIndex<Receipt>,
    IDBKeyRange.bound(0, Number.MAX_SAFE_INTEGER),
    most,
    'getAll',
  );

/** From the newest on, down to a time (milliseconds since 1970). */
export async function* newestReceipts(tx: Reading, since: number): AsyncGenerator<Receipt> {
  let cursor = await stored(tx).index('createdAt').openCursor(IDBKeyRange.lowerBound(since), 'prev');
  for (; cursor; cursor = await cursor.continue()) yield cursor.value;
}

/**
 * Stores a new one, or changes that aren't events.
 * @throws ServiceError `internal` if its state differs from the stored one's
 */
export async function putReceipt(tx: WriteTransaction, receipt: Receipt): Promise<void> {
  const before = await getReceipt(tx, receipt.txid);
  if (before && receiptState(before) !== receiptState(receipt))
    throw new ServiceError('internal', { detail: 'a receipt changed its state without an event' });
  await tx.objectStore('receipts').put(receipt);
}

/**
 * Stores one after an event.
 * @throws ServiceError `internal` if the event is illegal in the receipt's state
 */
export async function putMoved(tx: WriteTransaction, receipt: Receipt, move: ReceiptMove): Promise<void> {
  await tx.objectStore('receipts').put(moveReceipt(receipt, move));
}

/** Changes one, if it is there. */
export async function changeReceipt(
  tx: WriteTransaction,
  txid: string,
  change: (receipt: Receipt) => Receipt | Promise<Receipt>,
): Promise<void> {
  const receipt = await getReceipt(tx, txid);
  if (receipt) await putReceipt(tx, await change(receipt));
}

/** Removes one whose transaction is a payment of the wallet's, or has another id. */
export async function deleteReceipt(tx: WriteTransaction, txid: string): Promise<void> {
  await tx.objectStore('receipts').delete(txid);
}
