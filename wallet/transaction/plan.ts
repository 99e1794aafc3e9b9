/** Decides the contents of a transaction: outputs and their order, change, fee. Pure and deterministic. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import type { GivenInput, Input } from './input.ts';
import { compareInputs, compareOutputs } from './bip69.ts';
import { leastPiece, splitChange } from './change.ts';
import { feeFor, transactionSize, type FeeRate } from './fee.ts';

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

function sumOf(parts: readonly { satoshis: bigint }[]): bigint {
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
