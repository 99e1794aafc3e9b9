/**
 * Computes the digest that an input's signature covers: BIP 143 as used in BSV (UAHF replay-protected sighash), which
 * includes the value of the spent coin.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { sha256d, type Transaction, type TransactionInput, type TransactionOutput } from './transaction.ts';
import { ByteWriter } from './wire-format.ts';

/** SIGHASH_ALL with the FORKID bit. */
export const SIGHASH_ALL_FORKID = 0x41;

const ANYONE_CAN_PAY = 0x80;
const [NONE, SINGLE] = [2, 3];
const NOTHING = new Uint8Array(32);

/** SIGHASH_CHRONICLE: with the FORKID bit, selects the original transaction digest algorithm (OTDA). */
const ORIGINAL = 0x20;

/** The parts of a transaction that signatures cover. */
export interface SignedOver extends Omit<Transaction, 'inputs'> {
  inputs: readonly Omit<TransactionInput, 'unlockingScript'>[];
}

/** True for the types of {@link sighashes}: ALL, NONE or SINGLE, optionally ANYONECANPAY, with FORKID. */
export function isForkSighash(type: number): boolean {
  return [0x41, 0x42, 0x43].includes(type & ~ANYONE_CAN_PAY);
}

/** True for the types of {@link originalSighash}: the types of {@link isForkSighash} with the OTDA bit added. */
export function isOriginalSighash(type: number): boolean {
  return (type & ORIGINAL) !== 0 && isForkSighash(type & ~ORIGINAL);
}

/**
 * Returns a function that computes an input's digest from its coin's locking script and satoshis.
 * @param type must be accepted by {@link isForkSighash}
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

/**
 * Computes an input's digest with the original algorithm, which the Chronicle upgrade allows again. The digest doesn't
 * cover the coin's value. Each call hashes the whole transaction, so callers must limit the number of calls.
 * @param type must be accepted by {@link isOriginalSighash}
 * @param lockingScript without OP_CODESEPARATOR
 */
export function originalSighash(
  { version, inputs, outputs, lockTime }: SignedOver,
  type: number,
  index: number,
  lockingScript: Uint8Array,
): Uint8Array {
  const kind = type & 0x1f;
  if (kind === SINGLE && index >= outputs.length) return Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0));
  const writer = new ByteWriter().uint32(version);
  const alone = (type & ANYONE_CAN_PAY) !== 0;
  const signed = [...inputs.entries()].filter(([i]) => !alone || i === index);
  writer.compactSize(signed.length);
  for (const [i, { txid, vout, sequence }] of signed) {
    const script = i === index ? lockingScript : new Uint8Array();
    const isFree = i !== index && kind !== 1;
    writer.txid(txid).uint32(vout).compactSize(script.length).bytes(script);
    writer.uint32(isFree ? 0 : sequence);
  }
  const paid = kind === NONE ? [] : kind === SINGLE ? outputs.slice(0, index + 1) : outputs;
  writer.compactSize(paid.length);
  for (const [i, { satoshis, lockingScript: script }] of paid.entries()) {
    if (kind === SINGLE && i !== index) writer.uint64(2n ** 64n - 1n).compactSize(0);
    else writer.uint64(satoshis).compactSize(script.length).bytes(script);
  }
  return sha256d(writer.uint32(lockTime).uint32(type).done());
}

function outputsHash(outputs: readonly TransactionOutput[]): Uint8Array {
  const paid = new ByteWriter();
  for (const { satoshis, lockingScript } of outputs)
    paid.uint64(satoshis).compactSize(lockingScript.length).bytes(lockingScript);
  return sha256d(paid.done());
}
