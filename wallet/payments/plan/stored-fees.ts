/** Finds fees that would make a new transaction identical to a stored payment's. */
import type { Coin } from '../../coins/coin.ts';
import { database, readTransaction } from '../../store/database.ts';
import { planTransaction, type Plan, type PlanRequest } from '../../transaction/plan.ts';
import { paymentsSpending } from '../store.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Returns the fees, in satoshis, of signed payments that spend the first of these coins. Includes payments that have
 * ended, because a new transaction could otherwise be identical to theirs.
 */
export async function feesOfStored(wallet: Wallet, [first]: readonly Coin[]): Promise<ReadonlySet<bigint>> {
  if (!first) return new Set();
  const spenders = await paymentsSpending(readTransaction(await database(wallet)), first.outpoint);
  return new Set(spenders.flatMap(({ signed }) => (signed ? signed.feeSatoshis : [])));
}

/**
 * Plans a transaction whose fee differs from those of stored payments, because the wallet rejects a transaction that it
 * has already stored. Without change, the fee can't be raised.
 */
export async function planAnew(wallet: Wallet, request: PlanRequest<Coin>): Promise<Plan<Coin>> {
  const fees = await feesOfStored(wallet, request.inputs);
  for (let { extraFee = 0n } = request; ; extraFee += 1n) {
    const plan = planTransaction({ ...request, extraFee });
    if (plan.changeIndexes.length === 0 || !fees.has(plan.feeSatoshis)) return plan;
  }
}
