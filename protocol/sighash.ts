/**
 * What the signature of an input is made over: BIP 143's digest as BSV uses it (UAHF replay-protected sighash). It
 * names the value that the input holds, so a signature also shows what its coin was worth.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { ByteWriter, sha256d, type Transaction, type TransactionInput, type TransactionOutput } from './transaction.ts';

/** Sign everything, on this side of the fork. */
export const SIGHASH_ALL_FORKID = 0x41;

const ANYONE_CAN_PAY = 0x80;
const [NONE, SINGLE] = [2, 3];
const NOTHING = new Uint8Array(32);

/** A transaction as far as signatures see it. */
export interface SignedOver extends Omit<Transaction, 'inputs'> {
  inputs: readonly Omit<TransactionInput, 'unlockingScript'>[];
}

/** Is it a type whose digest this is: all outputs, none or one, all inputs or this one, with the fork's bit? */
export function isForkSighash(type: number): boolean {
  return [0x41, 0x42, 0x43].includes(type & ~ANYONE_CAN_PAY);
}

/**
 * Gives the digest of each input from the script that locks its coin and the satoshis in it. What is the same for all
 * inputs is hashed once.
 * @param type one that {@link isForkSighash} knows
 */
export function sighashes(
  { version, inputs, outputs, lockTime }: SignedOver,
  type = SIGHASH_ALL_FORKID,
): (index: number, lockingScript: Uint8Array, satoshis: bigint) => Uint8Array {
  const alone = (type & ANYONE_CAN_PAY) !== 0;
  const kind = type & 0x1f;
  const outpoints = new ByteWriter();
  const sequences = new ByteWriter();
  for (const { txid, vout, sequence } of alone ? [] : inputs) {
    outpoints.txid(txid).uint32(vout);
    sequences.uint32(sequence);
  }
  const outpointsHash = alone ? NOTHING : sha256d(outpoints.done());
  const sequencesHash = alone || kind === NONE || kind === SINGLE ? NOTHING : sha256d(sequences.done());
  const allOutputs = kind === NONE || kind === SINGLE ? NOTHING : outputsHash(outputs);
  const midstate = sha256
    .create()
    .update(new ByteWriter().uint32(version).bytes(outpointsHash).bytes(sequencesHash).done());
  return (index, lockingScript, satoshis) => {
    const { txid, vout, sequence } = inputs[index] as SignedOver['inputs'][number];
    const own = new ByteWriter()
      .txid(txid)
      .uint32(vout)
      .compactSize(lockingScript.length)
      .bytes(lockingScript)
      .uint64(satoshis)
      .uint32(sequence);
    const beside = kind === SINGLE ? outputs[index] : undefined;
    const suffix = new ByteWriter()
      .bytes(beside ? outputsHash([beside]) : allOutputs)
      .uint32(lockTime)
      .uint32(type)
      .done();
    return sha256(midstate.clone().update(own.done()).update(suffix).digest());
  };
}

function outputsHash(outputs: readonly TransactionOutput[]): Uint8Array {
  const paid = new ByteWriter();
  for (const { satoshis, lockingScript } of outputs)
    paid.uint64(satoshis).compactSize(lockingScript.length).bytes(lockingScript);
  return sha256d(paid.done());
}
