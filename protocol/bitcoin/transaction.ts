/**
 * Strict parser and canonical serializer for transactions (Bitcoin's wire format; BSV has no witness). Requires the
 * exact length, minimal compact sizes, at least one input and one output, and values that total at most 21 million BSV.
 * Every received transaction is parsed here, because `@bsv/sdk` accepts truncated data and trailing bytes.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { fromHex, isHex, toHex } from './bytes.ts';
import { MAX_SATOSHIS } from '../money/money.ts';
import { ByteReader, ByteWriter, malformed } from './wire-format.ts';

/** An input: the outpoint it spends (`txid` in display order, hex), its unlocking script and its sequence number. */
export interface TransactionInput {
  txid: string;
  vout: number;
  unlockingScript: Uint8Array;
  sequence: number;
}

export interface TransactionOutput {
  satoshis: bigint;
  lockingScript: Uint8Array;
}

export interface Transaction {
  version: number;
  inputs: TransactionInput[];
  outputs: TransactionOutput[];
  lockTime: number;
}

/** Maximum size of a transaction (bytes). The network's policy may be lower. */
export const MAX_TRANSACTION_BYTES = 10_000_000;

export function sha256d(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

/** Parses exactly one transaction. @throws ServiceError `invalid-transaction` */
export function parseTransaction(bytes: Uint8Array): Transaction {
  return readWhole(bytes, readTransaction);
}

/**
 * Parses exactly one transaction as strictly as {@link parseTransaction}, but returns only its outputs. Creating an
 * object for each of 240,000 inputs would take a second.
 * @throws ServiceError `invalid-transaction`
 */
export function parseOutputs(bytes: Uint8Array): TransactionOutput[] {
  return readWhole(bytes, (reader) => {
    skipInputs(reader);
    const outputs = readOutputs(reader);
    reader.skip(4);
    return outputs;
  });
}

function readWhole<T>(bytes: Uint8Array, read: (reader: ByteReader) => T): T {
  if (bytes.length > MAX_TRANSACTION_BYTES) throw malformed('too large');
  const reader = new ByteReader(bytes);
  const whole = read(reader);
  if (reader.left !== 0) throw malformed('trailing bytes');
  return whole;
}

/** Skips the version and the inputs. @param unlocking gets the bounds of each script, including its length */
function skipInputs(reader: ByteReader, unlocking: (start: number, end: number) => void = () => {}): void {
  reader.skip(4);
  for (let left = readInputCount(reader); left > 0; left -= 1) {
    reader.skip(36);
    const start = reader.at;
    reader.skip(reader.compactSize());
    unlocking(start, reader.at);
    reader.skip(4);
  }
}

function readInputCount(reader: ByteReader): number {
  const count = reader.compactSize();
  if (count === 0) throw malformed('no inputs');
  return count;
}

/** Parses the next of several transactions. @throws ServiceError `invalid-transaction` */
export function readTransaction(reader: ByteReader): Transaction {
  const version = reader.uint32();
  const inputs: TransactionInput[] = [];
  for (let left = readInputCount(reader); left > 0; left -= 1) {
    const txid = toHex(reader.bytes(32).reverse());
    const vout = reader.uint32();
    inputs.push({ txid, vout, unlockingScript: reader.bytes(reader.compactSize()), sequence: reader.uint32() });
  }
  const outputs = readOutputs(reader);
  const lockTime = reader.uint32();
  return { version, inputs, outputs, lockTime };
}

function readOutputs(reader: ByteReader): TransactionOutput[] {
  const outputs: TransactionOutput[] = [];
  const outputCount = reader.compactSize();
  if (outputCount === 0) throw malformed('no outputs');
  let total = 0n;
  for (let i = 0; i < outputCount; i += 1) {
    const satoshis = reader.uint64();
    total += satoshis;
    if (total > MAX_SATOSHIS) throw malformed('value out of range');
    outputs.push({ satoshis, lockingScript: reader.bytes(reader.compactSize()) });
  }
  return outputs;
}

/** Parses exactly one transaction from hexadecimal. @throws ServiceError `invalid-transaction` */
export function parseTransactionHex(hex: string): Transaction {
  if (!isHex(hex)) throw malformed('not hexadecimal');
  return parseTransaction(fromHex(hex));
}

/** Serializes a transaction canonically so that `parseTransaction` returns the same transaction. */
export function serializeTransaction(transaction: Transaction): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter().uint32(transaction.version).compactSize(transaction.inputs.length);
  for (const input of transaction.inputs) {
    writer.txid(input.txid).uint32(input.vout);
    writer.compactSize(input.unlockingScript.length).bytes(input.unlockingScript).uint32(input.sequence);
  }
  writer.compactSize(transaction.outputs.length);
  for (const output of transaction.outputs) {
    writer.uint64(output.satoshis).compactSize(output.lockingScript.length).bytes(output.lockingScript);
  }
  return writer.uint32(transaction.lockTime).done();
}

/** Computes a transaction's ID from its bytes: double SHA-256, reversed, hex. */
export function txidOf(bytes: Uint8Array): string {
  return toHex(sha256d(bytes).reverse());
}

/** Computes BIP 140's normalized transaction ID, which excludes unlocking scripts and isn't changed by signing. */
export function normalizedTxidOf(transaction: Transaction): string {
  const inputs = transaction.inputs.map((input) => ({ ...input, unlockingScript: new Uint8Array(0) }));
  return txidOf(serializeTransaction({ ...transaction, inputs }));
}

/** Like {@link normalizedTxidOf}, directly from a transaction's bytes. @throws ServiceError `invalid-transaction` */
export function normalizedTxidOfBytes(bytes: Uint8Array): string {
  const writer = new ByteWriter();
  let copied = 0;
  skipInputs(new ByteReader(bytes), (start, end) => {
    writer.bytes(bytes.subarray(copied, start)).uint8(0);
    copied = end;
  });
  return txidOf(writer.bytes(bytes.subarray(copied)).done());
}
