/**
 * The only file that accesses the receipt store. Functions with a `tx` parameter run within that transaction.
 * `readTransaction` (database.ts) begins a read-only one.
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

/** Returns the receipts that exist for these transaction IDs. */
export async function getReceipts(tx: Reading, txids: Iterable<string>): Promise<Receipt[]> {
  const found = await Promise.all([...txids].map((txid) => getReceipt(tx, txid)));
  return found.filter((receipt) => receipt !== undefined);
}

export const hasReceipt = async (tx: Reading, txid: string): Promise<boolean> =>
  (await stored(tx).getKey(txid)) !== undefined;

export const countReceipts = (tx: Reading): Promise<number> => stored(tx).count();

/** Returns the receipts that aren't confirmed by a checked proof yet. */
export const receiptsUnconfirmed = (tx: Reading): Promise<Receipt[]> => stored(tx).index('unconfirmed').getAll(1);

/** Returns the receipts confirmed by blocks above a height. */
export const receiptsMinedAbove = (wallet: Wallet, tx: Reading, height: number): Promise<Receipt[]> =>
  stored(tx).index('height').getAll(wallet.keyRange.lowerBound(height, true));

/** Returns the IDs of transactions that the account's service hasn't been queried about yet. */
export const txidsUnasked = (tx: Reading, most: number): Promise<string[]> =>
  stored(tx).index('unasked').getAllKeys(1, most);

/** Returns the latest receipts, in chronological order. */
export const latestReceipts = (wallet: Wallet, tx: Reading, most: number): Promise<Receipt[]> =>
  latest(
    wallet,
    stored(tx).index('createdAt') as unknown as LatestIndex<Receipt>,
    wallet.keyRange.bound(0, Number.MAX_SAFE_INTEGER),
    most,
    'getAll',
  );

/** Yields receipts from newest to oldest, back to a time (milliseconds since 1970). */
export async function* newestReceipts(wallet: Wallet, tx: Reading, since: number): AsyncGenerator<Receipt> {
  let cursor = await stored(tx).index('createdAt').openCursor(wallet.keyRange.lowerBound(since), 'prev');
  for (; cursor; cursor = await cursor.continue()) yield cursor.value;
}

/**
 * Stores a new receipt, or changes that don't affect its state.
 * @throws ServiceError `internal` if its state differs from the stored one's
 */
export async function putReceipt(tx: WriteTransaction, receipt: Receipt): Promise<void> {
  const before = await getReceipt(tx, receipt.txid);
  if (before && receiptState(before) !== receiptState(receipt))
    throw new ServiceError('internal', { detail: 'receipt state changed without an event' });
  await tx.objectStore('receipts').put(receipt);
}

/** Stores a receipt after an event. @throws ServiceError `internal` if the event is illegal in the receipt's state */
export async function putMoved(tx: WriteTransaction, receipt: Receipt, move: ReceiptMove): Promise<void> {
  await tx.objectStore('receipts').put(moveReceipt(receipt, move));
}

/** Changes a receipt if it exists. */
export async function changeReceipt(
  tx: WriteTransaction,
  txid: string,
  change: (receipt: Receipt) => Receipt | Promise<Receipt>,
): Promise<void> {
  const receipt = await getReceipt(tx, txid);
  if (receipt) await putReceipt(tx, await change(receipt));
}

/** Removes a receipt whose transaction has a new ID or turned out to be one of the wallet's payments. */
export async function deleteReceipt(tx: WriteTransaction, txid: string): Promise<void> {
  await tx.objectStore('receipts').delete(txid);
}
