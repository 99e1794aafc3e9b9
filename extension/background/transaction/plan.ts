/**
 * Decides what a transaction is made of: which coins, which outputs in which order, what change, what fee. Pure: the
 * same coins and wishes give the same plan.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import type { TransactionOutput } from '../../../protocol/transaction.ts';
import type { Coin } from '../coins/coin.ts';
import { compareInputs, compareOutputs } from './bip69.ts';
import { feeFor, transactionSize, type FeeRate } from './fee.ts';

/** What is wanted of a transaction. */
export interface PlanRequest {
  outputs: readonly TransactionOutput[];
  /** Coins that may be spent. */
  coins: readonly Coin[];
  changeScript: Uint8Array;
  rate: FeeRate;
  /** Outputs as given, then change last, instead of BIP 69's order. */
  preserveOrder: boolean;
}

/** A transaction to sign. `changeIndex` is the change output's place, null where nothing was left to give back. */
export interface Plan {
  inputs: Coin[];
  outputs: TransactionOutput[];
  changeIndex: number | null;
  feeSatoshis: bigint;
}

/**
 * Plans a transaction that pays `outputs` and at least the fee of its greatest possible size.
 * @throws ServiceError `insufficient-funds`
 */
export function planTransaction({ outputs, coins, changeScript, rate, preserveOrder }: PlanRequest): Plan {
  const wanted = outputs.reduce((sum, output) => sum + output.satoshis, 0n);
  const inputs = chooseCoins(coins, wanted, outputs, rate);
  const total = inputs.reduce((sum, coin) => sum + coin.satoshis, 0n);
  const change: TransactionOutput = { satoshis: 0n, lockingScript: changeScript };
  const withChange = [...outputs, change];
  const fee = feeFor(transactionSize(inputs.length, withChange), rate);
  const left = total - wanted - fee;
  inputs.sort(compareInputs);
  // No output of value zero: what does not even pay for giving it back goes to the miners, never more than that.
  if (left <= 0n) {
    const sorted = preserveOrder ? [...outputs] : [...outputs].sort(compareOutputs);
    return { inputs, outputs: sorted, changeIndex: null, feeSatoshis: total - wanted };
  }
  change.satoshis = left;
  if (!preserveOrder) withChange.sort(compareOutputs);
  return { inputs, outputs: withChange, changeIndex: withChange.indexOf(change), feeSatoshis: fee };
}

/**
 * Chooses coins: confirmed ones before unconfirmed ones, the smallest single one that is enough, else the largest until
 * it is enough. Few inputs keep the fee low; confirmed ones first keep chains of unconfirmed transactions short. Of any
 * number of coins the largest are tried, so money is short only where no choice at all would do.
 */
function chooseCoins(coins: readonly Coin[], wanted: bigint, outputs: readonly TransactionOutput[], rate: FeeRate): Coin[] {
  const needs = (inputs: number) => wanted + feeFor(transactionSize(inputs, outputs), rate);
  const confirmed = coins.filter((coin) => coin.height !== null);
  for (const pool of [confirmed, coins]) {
    const single = pool.reduce<Coin | null>(
      (best, coin) => (coin.satoshis >= needs(1) && (!best || coin.satoshis < best.satoshis) ? coin : best),
      null,
    );
    if (single) return [single];
  }
  for (const pool of [confirmed, coins]) {
    const chosen: Coin[] = [];
    let sum = 0n;
    for (const coin of [...pool].sort((a, b) => (a.satoshis < b.satoshis ? 1 : a.satoshis > b.satoshis ? -1 : 0))) {
      chosen.push(coin);
      sum += coin.satoshis;
      if (sum >= needs(chosen.length)) return chosen;
    }
  }
  throw new ServiceError('insufficient-funds');
}
