/** Decides the contents of a transaction: outputs and their order, change, fee. Pure and deterministic. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { type TransactionOutput, compactSizeLength } from '../../protocol/bitcoin/transaction.ts';
import type { GivenInput, Input } from './input.ts';

export interface PlanRequest<I extends Input = Input> {
  outputs: readonly TransactionOutput[];
  /** The coins to spend: enough for the outputs and the fee (wallet/coins/choose.ts). */
  inputs: readonly I[];
  /** Inputs that an application adds: before the coins, in its order. */
  given?: readonly GivenInput[];
  /** Destinations of change: one piece per script, fewer if pieces would be too small. At least one. */
  changeScripts: readonly Uint8Array[];
  rate: FeeRate;
  /** Outputs as given, then change last, instead of BIP 69's order. */
  preserveOrder: boolean;
  /** Maximum fee in satoshis: the amount that the user was shown. */
  mostFee?: bigint;
  /** Satoshis on top of the network's fee, if there is change. */
  extraFee?: bigint;
}

/** A transaction to sign. `changeIndexes` are the positions of the change outputs, empty if there is no change. */
export interface Plan<I extends Input = Input> {
  /** Before `inputs`, in this order. */
  given?: readonly GivenInput[];
  inputs: I[];
  outputs: TransactionOutput[];
  changeIndexes: number[];
  feeSatoshis: bigint;
  /** 1 and 0 by default. */
  version?: number;
  lockTime?: number;
}

/**
 * Plans a transaction that pays `outputs` and the fee of its maximum size. The rest is returned as change in pieces,
 * the first scripts first. If a change output would cost more than the rest is worth, it goes to the miners.
 * @throws ServiceError `insufficient-funds` (the inputs do not pay it), `fee-changed` (not for `mostFee`)
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

/** The rest of all inputs after the outputs and fee, without change. @throws ServiceError `insufficient-funds` */
export function planMax({ inputs, outputs, rate }: Pick<PlanRequest, 'inputs' | 'outputs' | 'rate'>): {
  left: bigint;
  feeSatoshis: bigint;
} {
  const feeSatoshis = feeFor(transactionSize(inputs.length, outputs), rate);
  const left = sumOf(inputs) - sumOf(outputs) - feeSatoshis;
  if (left < 0n) throw new ServiceError('insufficient-funds');
  return { left, feeSatoshis };
}

/** Spendable coins that are enough for parallel payments. */
const COINS_KEPT = 8;
/** Each change output costs its bytes now and an input later. */
const MAX_PIECES = 4;
/** Each of several pieces is worth at least this many times the cost of spending it. */
const WORTH_TIMES = 100n;
/** Minimum satoshis of a piece, for networks with almost no fees. */
const LEAST_SATOSHIS = 1000n;
/** Maximum unconfirmed change addresses of all payments: well within the gap limit of 20, even if all fail. */
const MAX_PENDING = 10;

/** The coins that a payment leaves. */
export interface CoinCounts {
  /** Spendable once the payment has taken its own coins. */
  available: number;
  /** Outputs of our own payments that the network hasn't accepted yet. */
  pending: number;
}

/**
 * How many pieces of change to make, from 1 to {@link MAX_PIECES}. A wallet with one coin could make only one payment at
 * a time, each spending the change of the previous one, and nodes limit the length of such chains.
 */
export function piecesWanted({ available, pending }: CoinCounts): number {
  return Math.max(1, Math.min(MAX_PIECES, COINS_KEPT - available, MAX_PENDING - pending));
}

/**
 * The minimum value of each output, in satoshis: for a single one the cost of spending it, for several more. Outputs of
 * one satoshi would never be spent (wallet/coins/coin.ts), so none is created.
 */
export function leastPiece(pieces: number, rate: FeeRate): bigint {
  const cost = spendingFee(rate);
  if (pieces === 1) return cost > 2n ? cost : 2n;
  return cost * WORTH_TIMES > LEAST_SATOSHIS ? cost * WORTH_TIMES : LEAST_SATOSHIS;
}

/**
 * Splits change: a half, a quarter, …, and the rest. Small pieces serve small payments and leave the large one for a
 * large payment, which would need several equal pieces. Unequal values also hide on the chain that they are change.
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

/**
 * Orders inputs by txid (display order, as hex), then by output index (BIP 69, so that change can't be recognized by its
 * place).
 */
export function compareInputs(a: { txid: string; vout: number }, b: { txid: string; vout: number }): number {
  if (a.txid !== b.txid) return a.txid < b.txid ? -1 : 1;
  return a.vout - b.vout;
}

/** Orders outputs by value, then by the bytes of the locking script. */
export function compareOutputs(a: TransactionOutput, b: TransactionOutput): number {
  if (a.satoshis !== b.satoshis) return a.satoshis < b.satoshis ? -1 : 1;
  const length = Math.min(a.lockingScript.length, b.lockingScript.length);
  for (let i = 0; i < length; i += 1) {
    const difference = (a.lockingScript[i] as number) - (b.lockingScript[i] as number);
    if (difference !== 0) return difference;
  }
  return a.lockingScript.length - b.lockingScript.length;
}

/** The network's price: `satoshis` for `bytes`. */
export interface FeeRate {
  satoshis: number;
  bytes: number;
}

/**
 * Maximum number of bytes of a P2PKH unlocking script: push of a low-S DER signature (71 at most, BIP 66 and BIP 62)
 * with its sighash byte, push of a compressed key.
 */
export const MAX_UNLOCKING_BYTES = 1 + 71 + 1 + 1 + 33;

/** Maximum number of bytes of a P2PKH input: outpoint, script length, script, sequence. */
export const P2PKH_INPUT_BYTES = 32 + 4 + 1 + MAX_UNLOCKING_BYTES + 4;

/** Bytes of a transaction with this many P2PKH inputs of the maximum size, these others, and these outputs. */
export function transactionSize(
  inputs: number,
  outputs: readonly TransactionOutput[],
  given: readonly Pick<GivenInput, 'unlockingBytes'>[] = [],
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

/** The fee of a size in bytes, in satoshis, rounded up. */
export function feeFor(bytes: number, rate: FeeRate): bigint {
  const per = BigInt(rate.bytes);
  return (BigInt(bytes) * BigInt(rate.satoshis) + per - 1n) / per;
}

/** The cost of spending one coin, in satoshis, rounded up. Spending a coin of a smaller value loses money. */
export function spendingFee(rate: FeeRate): bigint {
  return feeFor(P2PKH_INPUT_BYTES, rate);
}
