/**
 * What the signature of an input is made over: sighash ALL|FORKID (0x41, BIP 143's digest as BSV uses it). It names the
 * value that the input holds, so a signature also shows what its coin was worth.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { ByteWriter, sha256d, type Transaction, type TransactionInput } from './transaction.ts';

/** Sign everything, on this side of the fork. */
export const SIGHASH_ALL_FORKID = 0x41;

/** A transaction as far as signatures see it. */
export interface SignedOver extends Omit<Transaction, 'inputs'> {
  inputs: readonly Omit<TransactionInput, 'unlockingScript'>[];
}

/**
 * Gives the digest of each input from the script that locks its coin and the satoshis in it. What is the same for all inputs is
 * hashed once.
 */
export function sighashes({ version, inputs, outputs, lockTime }: SignedOver): (index: number, lockingScript: Uint8Array, satoshis: bigint) => Uint8Array {
  const outpoints = new ByteWriter();
  const sequences = new ByteWriter();
  const paid = new ByteWriter();
  for (const { txid, vout, sequence } of inputs) {
    outpoints.txid(txid).uint32(vout);
    sequences.uint32(sequence);
  }
  for (const { satoshis, lockingScript } of outputs) {
    paid.uint64(satoshis).compactSize(lockingScript.length).bytes(lockingScript);
  }
  const prefix = new ByteWriter().uint32(version).bytes(sha256d(outpoints.done())).bytes(sha256d(sequences.done())).done();
  const suffix = new ByteWriter().bytes(sha256d(paid.done())).uint32(lockTime).uint32(SIGHASH_ALL_FORKID).done();
  const midstate = sha256.create().update(prefix);
  return (index, lockingScript, satoshis) => {
    const { txid, vout, sequence } = inputs[index] as SignedOver['inputs'][number];
    const own = new ByteWriter().txid(txid).uint32(vout).compactSize(lockingScript.length).bytes(lockingScript).uint64(satoshis).uint32(sequence);
    return sha256(midstate.clone().update(own.done()).update(suffix).digest());
  };
}
