/**
 * Reads and writes coins. Functions with a `tx` parameter run within that transaction. Only this module writes coins,
 * which keeps the totals consistent.
 */
import { readTransaction, type Reading, database, type WriteTransaction, inTransaction } from '../store/database.ts';
import {
  NOTHING,
  type Coin,
  type CoinStatus,
  ranked,
  moveCoin,
  type CoinMove,
  counted,
  ONE_SAT_TIER,
  mayCarryToken,
} from './coin.ts';
import { getTotal, putTotal } from '../store/totals.ts';
import type { Wallet } from '../platform.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';

/** Returns a coin by its outpoint. */
export async function readCoin(wallet: Wallet, outpoint: string): Promise<Coin | undefined> {
  return getCoin(readTransaction(await database(wallet)), outpoint);
}

export const getCoin = (tx: Reading, outpoint: string): Promise<Coin | undefined> =>
  tx.objectStore('coins').get(outpoint);

/** Returns coins by their outpoints, in one transaction. Unknown coins are undefined. */
export async function readCoins(wallet: Wallet, outpoints: readonly string[]): Promise<(Coin | undefined)[]> {
  const tx = readTransaction(await database(wallet));
  return Promise.all(outpoints.map((outpoint) => getCoin(tx, outpoint)));
}

export const hasCoin = async (tx: Reading, outpoint: string): Promise<boolean> =>
  (await tx.objectStore('coins').getKey(outpoint)) !== undefined;

/** Returns the coins that a transaction creates. */
export const coinsMadeBy = (tx: Reading, txid: string): Promise<Coin[]> =>
  tx.objectStore('coins').index('txid').getAll(txid);

export const countCoinsMadeBy = (tx: Reading, txid: string): Promise<number> =>
  tx.objectStore('coins').index('txid').count(txid);

/** Returns the coins at an address. @param most maximum number; defaults to all */
export const coinsAt = (tx: Reading, script: string, most?: number): Promise<Coin[]> =>
  tx.objectStore('coins').index('script').getAll(script, most);

export const coinsWith = (tx: Reading, status: CoinStatus): Promise<Coin[]> =>
  tx.objectStore('coins').index('status').getAll(status);

/** Returns the spendable coins at an address. */
export const availableAt = (tx: Reading, script: string, most: number): Promise<Coin[]> =>
  tx.objectStore('coins').index('held').getAll(['available', script], most);

/** Yields the scripts of spendable coins without duplicates, in ascending order, starting after `after`. */
export async function* availableScripts(wallet: Wallet, tx: Reading, after?: string): AsyncGenerator<string> {
  const range = wallet.keyRange.bound(['available', after ?? ''], ['available', '\uffff'], after !== undefined);
  let cursor = await tx.objectStore('coins').index('held').openKeyCursor(range, 'nextunique');
  for (; cursor; cursor = await cursor.continue()) yield cursor.key[1];
}

/** True if the wallet has spendable coins. */
export async function hasCoins(tx: Reading): Promise<boolean> {
  return ((await getTotal(tx, 'coins')) ?? NOTHING).available > 0;
}

/** Stores a new coin. @throws ServiceError `internal` if it exists */
export async function addCoin(tx: WriteTransaction, coin: Coin): Promise<void> {
  await write(tx, coin, (before) => {
    if (before) throw new ServiceError('internal', { detail: 'coin exists already' });
  });
}

/** Stores a coin after an event. @throws ServiceError `internal` if the event is illegal in the coin's status */
export async function changeCoin(tx: WriteTransaction, coin: Coin, move: CoinMove): Promise<void> {
  await write(tx, moveCoin(coin, move));
}

/** Stores changes that don't affect the coin's status. */
export async function amendCoin(
  tx: WriteTransaction,
  coin: Coin,
  changes: Partial<Omit<Coin, 'status'>> & { status?: never },
): Promise<void> {
  await write(tx, { ...coin, ...changes, status: coin.status });
}

/** Stores a coin without an event. For tests. */
export const putCoin = (tx: WriteTransaction, coin: Coin): Promise<void> => write(tx, coin);

async function write(tx: WriteTransaction, coin: Coin, check?: (before: Coin | undefined) => void): Promise<void> {
  const coins = tx.objectStore('coins');
  const [before, sum] = await Promise.all([coins.get(coin.outpoint), getTotal(tx, 'coins')]);
  check?.(before);
  await Promise.all([
    putTotal(tx, 'coins', counted(sum ?? NOTHING, before, coin)),
    coins.put(ranked(coin)),
    countScript(tx, before, coin, sum === undefined),
  ]);
}

/** Removes a coin whose transaction has a new ID. */
export async function removeCoin(tx: WriteTransaction, outpoint: string): Promise<void> {
  const coins = tx.objectStore('coins');
  const [before, sum] = await Promise.all([coins.get(outpoint), getTotal(tx, 'coins')]);
  await Promise.all([
    putTotal(tx, 'coins', counted(sum ?? NOTHING, before, undefined)),
    coins.delete(outpoint),
    countScript(tx, before, undefined, false),
  ]);
}

/**
 * Maximum size of a script that is always stored (bytes): enough for a token. Larger scripts are needed to spend their
 * coins, but anyone can send them, so they are stored only within limits.
 */
const SMALL = 2000;
export const MAX_SCRIPT_BYTES = 400_000;
/** Maximum total size of a transaction's larger scripts (bytes). */
const MAX_TRANSACTION_SCRIPT_BYTES = 1_000_000;
/** Maximum total size of all larger scripts (bytes). */
export const MAX_TOTAL_SCRIPT_BYTES = 20_000_000;

/**
 * Checks that there is room for more scripts.
 * @param txid transaction that contains the scripts
 * @param sizes size of each script (bytes)
 * @throws ServiceError `too-large`
 */
export async function checkScriptQuota(wallet: Wallet, txid: string, sizes: readonly number[]): Promise<void> {
  const large = sizes.filter((bytes) => bytes > SMALL);
  if (large.length === 0) return;
  const sum = large.reduce((all, bytes) => all + bytes, 0);
  const isOneTooLarge = large.some((bytes) => bytes > MAX_SCRIPT_BYTES);
  let [ofTransaction, ofAll] = [sum, sum];
  if (!isOneTooLarge) {
    ofAll += await bytesKept(wallet);
    for (const coin of await (await database(wallet)).getAllFromIndex('coins', 'txid', txid))
      ofTransaction += bytesOf(coin);
  }
  if (isOneTooLarge || ofTransaction > MAX_TRANSACTION_SCRIPT_BYTES || ofAll > MAX_TOTAL_SCRIPT_BYTES)
    throw new ServiceError('too-large', { detail: `scripts of ${sum} bytes` });
}

/** Returns the bytes of a large script if its coin is available or pending, otherwise 0. */
function bytesOf(coin: Coin | undefined): number {
  if (!coin || !mayCarryToken(coin) || (coin.status !== 'available' && coin.status !== 'pending')) return 0;
  const bytes = coin.script.length / 2;
  return bytes > SMALL ? bytes : 0;
}

/**
 * Updates the total size of scripts when a coin is added, changed or removed.
 * @param isFirst true for the wallet's first coin, which initializes the total. Wallets created by earlier versions
 * compute it on demand
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
      const range = wallet.keyRange.bound([status, ONE_SAT_TIER, 0], [status, ONE_SAT_TIER, Number.POSITIVE_INFINITY]);
      let cursor = await tx.objectStore('coins').index('rank').openCursor(range);
      for (; cursor; cursor = await cursor.continue()) bytes += bytesOf(cursor.value);
    }
    await putTotal(tx, 'scripts', { bytes });
    return bytes;
  });
}
