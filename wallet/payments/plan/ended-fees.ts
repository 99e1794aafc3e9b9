/** Finds the fees with which a new transaction could equal that of an ended payment, whose coins are free again. */
import type { Coin } from '../../coins/coin.ts';
import { database, readTransaction } from '../../store/database.ts';
import { paymentsSpending } from '../store.ts';
import type { Wallet } from '../../platform.ts';

/** Returns the fees, in satoshis, of ended payments that spent the first of these coins. */
export async function feesOfEnded(wallet: Wallet, [first]: readonly Coin[]): Promise<ReadonlySet<bigint>> {
  if (!first) return new Set();
  const spenders = await paymentsSpending(readTransaction(await database(wallet)), first.outpoint);
  return new Set(spenders.flatMap(({ state, signed }) => (state === 'failed' && signed ? signed.feeSatoshis : [])));
}
