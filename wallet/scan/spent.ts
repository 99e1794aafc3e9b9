/** Detects coins that disappeared from the index because another wallet with the same recovery words spent them. */
import { coinsSpentWith } from '../chain/headers/spv.ts';
import { outpoint, type Coin } from '../coins/coin.ts';
import { freeStray, markSpentElsewhere } from '../coins/coin-store.ts';
import { readTransaction, database } from '../store/database.ts';
import type { Listed } from './lists.ts';
import type { Work } from './work.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type { Address } from '../coins/addresses/address.ts';
import { coinsAt } from '../coins/records.ts';
import type { Wallet } from '../platform.ts';

/** Requests each missing coin's spender within the refresh's budget, and marks all coins that this spender spends. */
export async function noteSpent(
  wallet: Wallet,
  info: NetworkInfo,
  { looked, unspent }: Listed,
  work: Work,
): Promise<void> {
  const there = new Set(unspent.filter((one) => !one.spentInMempool).map(({ txid, vout }) => outpoint(txid, vout)));
  const hidden = async () => (await coinsOf(wallet, looked)).filter((one) => !there.has(one.outpoint));
  let coins = await hidden();
  if (await freeStray(wallet, coins)) coins = await hidden();
  // The index may not list the change from the wallet's own payments yet, so coins that it has never listed are queried
  // only in a complete search.
  const isAsked = ({ status, seen }: Coin) =>
    status === 'available' ? seen || work.isWhole : status === 'gone' && work.isWhole;
  const missing = new Set(inAnyOrder(wallet, coins.filter(isAsked)));
  for (const coin of missing) {
    if (!work.checks.left || work.isOver) return;
    work.checks.took(2);
    await work.passingOver(async () => {
      const spent = await coinsSpentWith(wallet, info, coin, missing);
      await markSpentElsewhere(
        wallet,
        spent.map((one) => one.outpoint),
      );
      for (const one of spent) missing.delete(one);
    });
  }
}

async function coinsOf(wallet: Wallet, addresses: readonly Address[]) {
  const tx = readTransaction(await database(wallet));
  return (await Promise.all(addresses.map(({ script }) => coinsAt(tx, script)))).flat();
}

/** Returns the list rotated by a random offset so that an entry that always fails doesn't block the other entries. */
export function inAnyOrder<T>(wallet: Wallet, list: readonly T[]): T[] {
  const from = Math.floor(wallet.random() * list.length);
  return [...list.slice(from), ...list.slice(0, from)];
}
