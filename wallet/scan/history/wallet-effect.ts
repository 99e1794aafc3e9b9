/** Computes a transaction's effect on this wallet: the amounts spent from its coins and received at its addresses. */
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { p2pkhHash, p2pkhScript, writeAddress, type Network } from '../../../protocol/bitcoin/address.ts';
import { readP2pkhUnlock } from '../../../protocol/bitcoin/p2pkh-unlock.ts';
import type { Transaction, TransactionInput, TransactionOutput } from '../../../protocol/bitcoin/transaction.ts';
import { type Address } from '../../coins/addresses/address.ts';
import { MAX_RECIPIENTS, type SpentPart } from '../../coins/receipts/receipt.ts';
import { database, readTransaction } from '../../store/database.ts';
import { hash160 } from '../../keys/keys.ts';
import { addressOf, getAddress } from '../../coins/addresses/records.ts';
import type { Wallet } from '../../platform.ts';

/**
 * An input with one of this wallet's public keys. Only the spent output shows whether the input really spends the
 * wallet's money.
 */
export interface WalletInput {
  input: TransactionInput;
  own: Address;
}

/** Inputs and outputs with this wallet's addresses. */
export interface WalletEffect {
  inputs: WalletInput[];
  outputs: { output: TransactionOutput; vout: number; own: Address }[];
}

/** Finds the inputs and outputs with this wallet's derived addresses. */
export async function walletEffectOf(wallet: Wallet, { version, inputs, outputs }: Transaction): Promise<WalletEffect> {
  const tx = readTransaction(await database(wallet));
  const [keys, places] = await Promise.all([
    Promise.all(
      inputs.map(async (input) => {
        const unlock = readP2pkhUnlock(input.unlockingScript, version);
        const own = unlock && (await getAddress(tx, toHex(p2pkhScript(hash160(unlock.publicKey)))));
        return own ? { input, own } : [];
      }),
    ),
    Promise.all(
      outputs.map(async (output, vout) => {
        const own = await addressOf(tx, output.lockingScript);
        return own ? { output, vout, own } : [];
      }),
    ),
  ]);
  return { inputs: keys.flat(), outputs: places.flat() };
}

/**
 * Returns a transaction's effect on the balance: either the amount received, or the amount sent with its recipients and
 * fee. Pure.
 * @param lost amounts of the wallet's inputs (satoshis)
 */
export function effectOf(
  { inputs, outputs }: Transaction,
  own: Pick<WalletEffect, 'outputs'>,
  lost: readonly bigint[],
  network: Network,
): { satoshis: bigint; spent?: SpentPart } {
  const gained = sum(own.outputs.map(({ output }) => output.satoshis));
  const spent = sum(lost);
  // If third parties also have inputs, it is unknown who paid which output and how much of the fee.
  const isOursAlone = lost.length === inputs.length;
  if (lost.length === 0 || (!isOursAlone && gained >= spent)) return { satoshis: gained - spent };
  const ours = new Set(own.outputs.map(({ vout }) => vout));
  const others = outputs.filter((_, vout) => !ours.has(vout));
  return {
    satoshis: isOursAlone ? sum(others.map(({ satoshis }) => satoshis)) : spent - gained,
    spent: {
      feeSatoshis: isOursAlone ? spent - sum(outputs.map(({ satoshis }) => satoshis)) : null,
      count: others.filter(({ satoshis }) => satoshis > 0n).length,
      // With third-party inputs, the recipients are also unknown.
      paid: (isOursAlone ? others : [])
        .filter(({ satoshis }) => satoshis > 0n)
        .slice(0, MAX_RECIPIENTS)
        .map(({ satoshis, lockingScript }) => {
          const hash = p2pkhHash(lockingScript);
          return { address: hash && writeAddress(hash, network), satoshis };
        }),
    },
  };
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, one) => total + one, 0n);
}
