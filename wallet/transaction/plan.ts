/** Plans a transaction: its outputs and their order, change and fee. Pure and deterministic. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { compactSizeLength } from '../../protocol/bitcoin/wire-format.ts';
import type { ApplicationInput, Input } from './input.ts';

export interface PlanRequest<I extends Input = Input> {
  outputs: readonly TransactionOutput[];
  /** The coins to spend, which must cover the outputs and the fee (wallet/coins/choose.ts). */
  inputs: readonly I[];
  /** Inputs that an application adds. These inputs precede the coins, in this order. */
  given?: readonly ApplicationInput[];
  /**
   * Locking scripts for change outputs, at least one. If the change outputs would be too small, only the first scripts
   * are used.
   */
  changeScripts: readonly Uint8Array[];
  rate: FeeRate;
  /** True to keep the order of outputs and append change, instead of sorting by BIP 69. */
  preserveOrder: boolean;
  /** Maximum fee in satoshis, as shown to the user. */
  mostFee?: bigint;
  /** Satoshis added to the network fee if there is change. */
  extraFee?: bigint;
}

/** A transaction to sign. `changeIndexes` are the positions of the change outputs, empty if there is no change. */
export interface Plan<I extends Input = Input> {
  /** Inputs that an application adds. These precede `inputs`, in this order. */
  given?: readonly ApplicationInput[];
  inputs: I[];
  outputs: TransactionOutput[];
  changeIndexes: number[];
  feeSatoshis: bigint;
  /** Defaults to 1. */
  version?: number;
  /** Defaults to 0. */
  lockTime?: number;
}

/**
 * Plans a transaction that pays `outputs` and the fee for its maximum size. The remainder becomes change, paid to the
 * first change scripts. A remainder that isn't worth a change output goes to the miners.
 * @throws ServiceError `insufficient-funds` if the inputs don't suffice, `fee-changed` if the fee exceeds `mostFee`
 */
export function planTransaction<I extends Input>({
  outputs,
  inputs,
  given = [],
  changeScripts,
  rate,
  preserveOrder,
  mostFee,
  extraFee = 0n,
}: PlanRequest<I>): Plan<I> {
  const left = sumOf(inputs) + sumOf(given) - sumOf(outputs);
  const plan = (feeSatoshis: bigint, change: TransactionOutput[]): Plan<I> => {
    if (mostFee !== undefined && feeSatoshis > mostFee) throw new ServiceError('fee-changed');
    const all = [...outputs, ...change];
    if (!preserveOrder) all.sort(compareOutputs);
    return {
      ...(given.length > 0 && { given }),
      inputs: [...inputs].sort(compareInputs),
      outputs: all,
      changeIndexes: change.map((one) => all.indexOf(one)).sort((a, b) => a - b),
      feeSatoshis,
    };
  };
  for (let pieces = changeScripts.length; pieces > 0; pieces -= 1) {
    const change = changeScripts
      .slice(0, pieces)
      .map((lockingScript): TransactionOutput => ({ satoshis: 0n, lockingScript }));
    const fee = extraFee + feeFor(transactionSize(inputs.length, [...outputs, ...change], given), rate);
    if (pieces > 1 && mostFee !== undefined && fee > mostFee) continue;
    const values = splitChange(left - fee, pieces);
    if (values.some((value) => value < leastPiece(pieces, rate))) continue;
    return plan(
      fee,
      change.map((one, i) => ({ ...one, satoshis: values[i] as bigint })),
    );
  }
  if (left < feeFor(transactionSize(inputs.length, outputs, given), rate)) throw new ServiceError('insufficient-funds');
  return plan(left, []);
}

export function sumOf(parts: readonly { satoshis: bigint }[]): bigint {
  return parts.reduce((sum, { satoshis }) => sum + satoshis, 0n);
}

/** Returns the remainder of the inputs after the outputs and fee. @throws ServiceError `insufficient-funds` */
export function planMax({ inputs, outputs, rate }: Pick<PlanRequest, 'inputs' | 'outputs' | 'rate'>): {
  left: bigint;
  feeSatoshis: bigint;
} {
  const feeSatoshis = feeFor(transactionSize(inputs.length, outputs), rate);
  const left = sumOf(inputs) - sumOf(outputs) - feeSatoshis;
  if (left < 0n) throw new ServiceError('insufficient-funds');
  return { left, feeSatoshis };
}

/** Target number of spendable coins, enough for parallel payments. Below this number, change is split. */
const COINS_KEPT = 8;
/**
 * Maximum number of change outputs per payment. Each output costs bytes in this transaction, and an input in a later
 * one.
 */
const MAX_PIECES = 4;
/** Minimum value of each of several change outputs, as a multiple of the cost of spending it. */
const WORTH_TIMES = 100n;
/** Minimum satoshis of each of several change outputs, for networks with almost no fees. */
const MIN_CHANGE_SATOSHIS = 1000n;
/**
 * Maximum number of pending change outputs across all payments: well within the gap limit of 20, even if all of these
 * payments fail.
 */
const MAX_PENDING = 10;

/** The number of coins that the wallet has after a payment. */
export interface CoinCounts {
  /** Spendable coins, except for those that the payment spends. */
  available: number;
  /** The wallet's outputs in its own payments that the network hasn't accepted yet. */
  pending: number;
}

/**
 * Returns the number of change outputs to create, from 1 to {@link MAX_PIECES}. With only one coin, every payment would
 * have to spend the change of the previous one, and nodes limit the length of such chains.
 */
export function changeOutputCount({ available, pending }: CoinCounts): number {
  return Math.max(1, Math.min(MAX_PIECES, COINS_KEPT - available, MAX_PENDING - pending));
}

/**
 * Returns the minimum satoshis of each change output. A single output must be worth the fee for spending it. If there
 * are several, each must be worth much more. One-satoshi outputs would never be spent (wallet/coins/coin.ts), so none
 * is created.
 */
export function leastPiece(pieces: number, rate: FeeRate): bigint {
  const cost = spendingFee(rate);
  if (pieces === 1) return cost > 2n ? cost : 2n;
  return cost * WORTH_TIMES > MIN_CHANGE_SATOSHIS ? cost * WORTH_TIMES : MIN_CHANGE_SATOSHIS;
}

/**
 * Splits change into a half, a quarter, …, and the rest. Small outputs cover small payments and preserve the large one
 * for a large payment. Unequal values also make it harder to recognize change on the chain.
 */
export function splitChange(satoshis: bigint, pieces: number): bigint[] {
  const values: bigint[] = [];
  let rest = satoshis;
  while (values.length < pieces - 1) {
    values.push(rest / 2n);
    rest -= rest / 2n;
  }
  return [...values, rest];
}

/** Compares inputs by txid (display order, as hex), then by output index (BIP 69). */
export function compareInputs(a: { txid: string; vout: number }, b: { txid: string; vout: number }): number {
  if (a.txid !== b.txid) return a.txid < b.txid ? -1 : 1;
  return a.vout - b.vout;
}

/**
 * Compares outputs by value, then by the bytes of the locking script (BIP 69), so an output's position doesn't
 * reveal that it is change.
 */
export function compareOutputs(a: TransactionOutput, b: TransactionOutput): number {
  if (a.satoshis !== b.satoshis) return a.satoshis < b.satoshis ? -1 : 1;
  const length = Math.min(a.lockingScript.length, b.lockingScript.length);
  for (let i = 0; i < length; i += 1) {
    const difference = (a.lockingScript[i] as number) - (b.lockingScript[i] as number);
    if (difference !== 0) return difference;
  }
  return a.lockingScript.length - b.lockingScript.length;
}

/** The network's fee rate: `satoshis` per `bytes`. */
export interface FeeRate {
  satoshis: number;
  bytes: number;
}

/**
 * Maximum number of bytes of a P2PKH unlocking script: a push of a low-S DER signature (at most 71 bytes, BIP 66 and
 * BIP 62) with its sighash byte, and a push of a compressed key.
 */
export const MAX_UNLOCKING_BYTES = 1 + 71 + 1 + 1 + 33;

/** Maximum number of bytes of a P2PKH input: outpoint, script length, script, sequence. */
export const P2PKH_INPUT_BYTES = 32 + 4 + 1 + MAX_UNLOCKING_BYTES + 4;

/** Returns the size of a transaction in bytes, with `inputs` P2PKH inputs of maximum size. */
export function transactionSize(
  inputs: number,
  outputs: readonly TransactionOutput[],
  given: readonly Pick<ApplicationInput, 'unlockingBytes'>[] = [],
): number {
  const givenBytes = given.reduce((sum, { unlockingBytes: n }) => sum + 32 + 4 + compactSizeLength(n) + n + 4, 0);
  const outputBytes = outputs.reduce(
    (sum, { lockingScript: s }) => sum + 8 + compactSizeLength(s.length) + s.length,
    0,
  );
  return (
    4 +
    compactSizeLength(inputs + given.length) +
    inputs * P2PKH_INPUT_BYTES +
    givenBytes +
    compactSizeLength(outputs.length) +
    outputBytes +
    4
  );
}

/** Returns the fee for a size in bytes, in satoshis, rounded up. */
export function feeFor(bytes: number, rate: FeeRate): bigint {
  const per = BigInt(rate.bytes);
  return (BigInt(bytes) * BigInt(rate.satoshis) + per - 1n) / per;
}

/** Returns the cost of spending one coin, in satoshis, rounded up. Spending a coin of lower value loses money. */
export function spendingFee(rate: FeeRate): bigint {
  return feeFor(P2PKH_INPUT_BYTES, rate);
}
