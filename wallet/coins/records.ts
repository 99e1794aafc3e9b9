/** Reading coins, for other folders. Functions with a transaction are part of it; only put-coin.ts writes coins. */
import { readTransaction, type Reading, database } from '../store/database.ts';
import { NOTHING } from './balance-totals.ts';
import type { Coin, CoinStatus } from './coin.ts';
import { getTotal } from '../store/totals.ts';
import type { Wallet } from '../platform.ts';

/** One coin by its outpoint. */
export async function readCoin(wallet: Wallet, outpoint: string): Promise<Coin | undefined> {
  return getCoin(readTransaction(await database(wallet)), outpoint);
}

export const getCoin = (tx: Reading, outpoint: string): Promise<Coin | undefined> =>
  tx.objectStore('coins').get(outpoint);

/** Several, in one transaction. Undefined for those that the wallet doesn't know. */
export async function readCoins(wallet: Wallet, outpoints: readonly string[]): Promise<(Coin | undefined)[]> {
  const tx = readTransaction(await database(wallet));
  return Promise.all(outpoints.map((outpoint) => getCoin(tx, outpoint)));
}

export const hasCoin = async (tx: Reading, outpoint: string): Promise<boolean> =>
  (await tx.objectStore('coins').getKey(outpoint)) !== undefined;

/** Coins that are outputs of a transaction. */
export const coinsMadeBy = (tx: Reading, txid: string): Promise<Coin[]> =>
  tx.objectStore('coins').index('txid').getAll(txid);

export const countCoinsMadeBy = (tx: Reading, txid: string): Promise<number> =>
  tx.objectStore('coins').index('txid').count(txid);

/** Coins at an address. @param most maximum number, by default all */
export const coinsAt = (tx: Reading, script: string, most?: number): Promise<Coin[]> =>
  tx.objectStore('coins').index('script').getAll(script, most);

export const coinsWith = (tx: Reading, status: CoinStatus): Promise<Coin[]> =>
  tx.objectStore('coins').index('status').getAll(status);

/** Coins at an address that can be spent. */
export const availableAt = (tx: Reading, script: string, most: number): Promise<Coin[]> =>
  tx.objectStore('coins').index('held').getAll(['available', script], most);

/** Scripts of coins that can be spent, each once, in ascending order after `after`. */
export async function* availableScripts(tx: Reading, after?: string): AsyncGenerator<string> {
  const range = IDBKeyRange.bound(['available', after ?? ''], ['available', '\uffff'], after !== undefined);
  let cursor = await tx.objectStore('coins').index('held').openKeyCursor(range, 'nextunique');
  for (; cursor; cursor = await cursor.continue()) yield cursor.key[1];
}

/** Whether a coin is left that can be spent. */
export async function hasCoins(tx: Reading): Promise<boolean> {
  return ((await getTotal(tx, 'coins')) ?? NOTHING).available > 0;
}
