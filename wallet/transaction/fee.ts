/** Transaction fees: the exact size at the network's rate, rounded up. */
import { compactSizeLength, type TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import type { GivenInput } from './input.ts';

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

/** Returns the fee for a size in bytes, in satoshis, rounded up. */
export function feeFor(bytes: number, rate: FeeRate): bigint {
  const per = BigInt(rate.bytes);
  return (BigInt(bytes) * BigInt(rate.satoshis) + per - 1n) / per;
}

/** Returns the cost of spending one coin, in satoshis, rounded up. Spending a coin of lower value loses money. */
export function spendingFee(rate: FeeRate): bigint {
  return feeFor(P2PKH_INPUT_BYTES, rate);
}
