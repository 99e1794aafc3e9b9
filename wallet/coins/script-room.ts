/** Limits the storage for scripts of one-satoshi coins. Anyone can send any content, and spending needs the script. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { database, inTransaction, type WriteTransaction, readTransaction } from '../store/database.ts';
import { APART, isKeptApart, type Coin } from './coin.ts';
import { getTotal, putTotal } from '../store/totals.ts';
import type { Wallet } from '../platform.ts';

/** A script of up to this size is always stored (bytes), since a token needs no more. */
const SMALL = 2000;
/** Maximum bytes of one script, of one transaction's scripts and of all of them together, not counting small ones. */
export const MOST_OF_ONE = 400_000;
const MOST_OF_TRANSACTION = 1_000_000;
export const MOST_OF_ALL = 20_000_000;

/**
 * Checks that there is room for more scripts.
 * @param txid of their transaction @param sizes their bytes
 * @throws ServiceError `too-large`
 */
export async function checkScriptRoom(wallet: Wallet, txid: string, sizes: readonly number[]): Promise<void> {
  const large = sizes.filter((bytes) => bytes > SMALL);
  if (large.length === 0) return;
  const sum = large.reduce((all, bytes) => all + bytes, 0);
  const isOneTooLarge = large.some((bytes) => bytes > MOST_OF_ONE);
  let [ofTransaction, ofAll] = [sum, sum];
  if (!isOneTooLarge) {
    ofAll += await bytesKept(wallet);
    for (const coin of await (await database(wallet)).getAllFromIndex('coins', 'txid', txid))
      ofTransaction += bytesOf(coin);
  }
  if (isOneTooLarge || ofTransaction > MOST_OF_TRANSACTION || ofAll > MOST_OF_ALL)
    throw new ServiceError('too-large', { detail: `scripts of ${sum} bytes` });
}

/** The bytes of a large script, while the coin is the wallet's or may return from its own payment. */
function bytesOf(coin: Coin | undefined): number {
  if (!coin || !isKeptApart(coin) || (coin.status !== 'available' && coin.status !== 'pending')) return 0;
  const bytes = coin.script.length / 2;
  return bytes > SMALL ? bytes : 0;
}

/**
 * Keeps the sum correct when a coin changes, is new, or is removed.
 * @param isFirst it is the wallet's first coin, so the sum starts. Wallets of earlier versions compute it when they
 * first need it
 */
export async function countScript(
  tx: WriteTransaction,
  before: Coin | undefined,
  after: Coin | undefined,
  isFirst: boolean,
): Promise<void> {
  const bytes = bytesOf(after) - bytesOf(before);
  if (bytes === 0 && !isFirst) return;
  const sum = isFirst ? { bytes: 0 } : await getTotal(tx, 'scripts');
  if (sum) await putTotal(tx, 'scripts', { bytes: sum.bytes + bytes });
}

async function bytesKept(wallet: Wallet): Promise<number> {
  const kept = await getTotal(readTransaction(await database(wallet)), 'scripts');
  if (kept) return kept.bytes;
  return inTransaction(wallet, async (tx) => {
    let bytes = 0;
    for (const status of ['available', 'pending']) {
      const range = IDBKeyRange.bound([status, APART, 0], [status, APART, Number.POSITIVE_INFINITY]);
      let cursor = await tx.objectStore('coins').index('rank').openCursor(range);
      for (; cursor; cursor = await cursor.continue()) bytes += bytesOf(cursor.value);
    }
    await putTotal(tx, 'scripts', { bytes });
    return bytes;
  });
}
