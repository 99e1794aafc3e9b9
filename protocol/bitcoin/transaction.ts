/**
 * Strict parser and canonical serializer for transactions (Bitcoin's wire format; BSV has no witness). Requires the
 * exact length, minimal compact sizes, at least one input and one output, and values that total at most 21 million BSV.
 * Every received transaction is parsed here, because `@bsv/sdk` accepts truncated data and trailing bytes.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, fromHex, isHex, toHex } from './bytes.ts';
import { ServiceError } from '../errors/service-error.ts';
import { MAX_SATOSHIS } from '../money/money.ts';

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

/** Returns the length of `n` as a compact size (1, 3, 5 or 9 bytes). */
export function compactSizeLength(n: number): number {
  if (n < 0xfd) return 1;
  if (n <= 0xffff) return 3;
  return n <= 0xffff_ffff ? 5 : 9;
}

export class ByteWriter {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  #reserve(n: number): number {
    const at = this.#length;
    this.#length += n;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  // `#reserve` must be called before `#view` is read, because it may replace the view.
  uint8(n: number): this {
    const at = this.#reserve(1);
    this.#view.setUint8(at, n);
    return this;
  }

  uint32(n: number): this {
    const at = this.#reserve(4);
    this.#view.setUint32(at, n, true);
    return this;
  }

  /** @throws RangeError if `n` doesn't fit, because `setBigUint64` would truncate it */
  uint64(n: bigint): this {
    if (n < 0n || n > 0xffff_ffff_ffff_ffffn) throw new RangeError(`${n} is not an unsigned integer of 64 bits`);
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, n, true);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  compactSize(n: number): this {
    if (n < 0xfd) return this.uint8(n);
    if (n <= 0xffff) {
      const at = this.#reserve(3);
      this.#view.setUint8(at, 0xfd);
      this.#view.setUint16(at + 1, n, true);
      return this;
    }
    if (n <= 0xffff_ffff) return this.uint8(0xfe).uint32(n);
    return this.uint8(0xff).uint64(BigInt(n));
  }

  /** Writes a txid, given in display order, in the reversed order of the wire format. */
  txid(txid: string): this {
    return this.bytes(fromHex(txid).reverse());
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }
}

/** Strict reader of the wire format. Throws `invalid-transaction` if the data is truncated or not minimal. */
export class ByteReader {
  #bytes: Uint8Array;
  #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // `slice` of Node's Buffer shares memory, so reversing a txid would change the caller's bytes.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  get at(): number {
    return this.#at;
  }

  #take(n: number): number {
    if (n > this.left) throw malformed('truncated');
    const at = this.#at;
    this.#at += n;
    return at;
  }

  uint8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  bytes(n: number): Uint8Array {
    const at = this.#take(n);
    return this.#bytes.slice(at, at + n);
  }

  skip(n: number): void {
    this.#take(n);
  }

  compactSize(): number {
    const first = this.uint8();
    if (first < 0xfd) return first;
    if (first === 0xfd) return this.#minimal(this.#view.getUint16(this.#take(2), true), 0xfd);
    if (first === 0xfe) return this.#minimal(this.uint32(), 0x1_0000);
    throw malformed('a count beyond 32 bits');
  }

  #minimal(n: number, least: number): number {
    if (n < least) throw malformed('a compact size that is not minimal');
    return n;
  }
}

function malformed(detail: string): ServiceError {
  return new ServiceError('invalid-transaction', { detail });
}

/** Parses exactly one transaction. @throws ServiceError `invalid-transaction` */
export function parseTransaction(bytes: Uint8Array): Transaction {
  return readWhole(bytes, readTransaction);
}

/**
 * Parses exactly one transaction as strictly as {@link parseTransaction}, but returns only its outputs. Creating an
 * object for each of 240,000 inputs would take a second. @throws ServiceError `invalid-transaction`
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

/** Skips the version and the inputs. @param unlocking gets the bounds of each script with its length */
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

/** Serializes a transaction canonically, so that `parseTransaction` returns the same transaction. */
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

/** Returns `OP_FALSE OP_RETURN <data as one push>`, the only type of data output made here, always with value 0. */
export function dataScript(data: Uint8Array): Uint8Array<ArrayBuffer> {
  return concatBytes(new Uint8Array([0x00, 0x6a]), pushData(data));
}

/** Returns the shortest push of `data` with an explicit length. Avoids OP_1 to OP_16, to keep the bytes readable. */
export function pushData(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const n = data.length;
  if (n < 0x4c) return concatBytes(new Uint8Array([n]), data);
  if (n <= 0xff) return concatBytes(new Uint8Array([0x4c, n]), data);
  if (n <= 0xffff) return concatBytes(new Uint8Array([0x4d, n & 0xff, n >> 8]), data);
  return concatBytes(new Uint8Array([0x4e, n & 0xff, (n >> 8) & 0xff, (n >> 16) & 0xff, n >>> 24]), data);
}
