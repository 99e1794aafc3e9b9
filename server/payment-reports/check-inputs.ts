/** Uses a transaction's signatures to verify the values of its inputs. Pure. */
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { verify } from '@noble/secp256k1';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { MAX_SATOSHIS } from '../../protocol/money/money.ts';
import { compactOf, isMalleable, readP2pkhUnlock } from '../../protocol/bitcoin/p2pkh-unlock.ts';
import { SIGHASH_ALL_FORKID, sighashes } from '../../protocol/bitcoin/sighash.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';

/** Number of signatures verified, in about 50 ms, before yielding to other requests. */
const SIGNATURES_PER_TURN = 64;

const mismatch = (detail: string) => new ServiceError('payment-mismatch', { detail });

/**
 * Returns the total value of the inputs. A P2PKH signature covers its coin's value, so wrong values don't verify.
 * @param inputs the reported satoshis of each input, decimal strings
 * @returns null if the values weren't reported, or if an input isn't P2PKH
 * @throws ServiceError `payment-mismatch`
 */
export async function checkInputs(
  transaction: Transaction,
  inputs: readonly string[] | undefined,
): Promise<bigint | null> {
  if (inputs === undefined) return null;
  if (inputs.length !== transaction.inputs.length) throw mismatch('inputs must contain a value for each input');
  const values = inputs.map((text) => BigInt(text));
  const digestOf = sighashes(transaction);
  const lowS = !isMalleable(transaction.version);
  for (const [i, { unlockingScript }] of transaction.inputs.entries()) {
    const unlocked = readP2pkhUnlock(unlockingScript, transaction.version);
    if (unlocked?.sighashType !== SIGHASH_ALL_FORKID || unlocked.publicKey.length !== 33) return null;
    const { signature, publicKey } = unlocked;
    const digest = digestOf(i, p2pkhScript(ripemd160(sha256(publicKey))), values[i] as bigint);
    if (!fits(signature, digest, publicKey, lowS))
      throw mismatch('a value differs from the one that its input’s signature covers');
    if (i % SIGNATURES_PER_TURN === SIGNATURES_PER_TURN - 1) await new Promise((resume) => setImmediate(resume));
  }
  const sum = values.reduce((total, value) => total + value, 0n);
  if (sum > MAX_SATOSHIS || sum < outputSum(transaction)) throw mismatch('the inputs are worth less than the outputs');
  return sum;
}

export function outputSum({ outputs }: Transaction): bigint {
  return outputs.reduce((total, { satoshis }) => total + satoshis, 0n);
}

/** True if the key signed the digest, in strict DER and, if required, with low S. */
function fits(der: Uint8Array, digest: Uint8Array, publicKey: Uint8Array, lowS: boolean): boolean {
  const compact = compactOf(der);
  return compact !== null && verify(compact, digest, publicKey, { prehash: false, lowS });
}
