/** Reads and writes the integers, compact sizes and bytes of Bitcoin's wire format. */
import { fromHex } from './bytes.ts';
import { ServiceError } from '../errors/service-error.ts';

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

  /** Writes a txid (passed in display order) in the wire format's reversed byte order. */
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
    // `Buffer.slice` in Node shares memory, so reversing a txid would change the caller's bytes.
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

/** Creates the error for bytes that aren't a valid transaction. */
export function malformed(detail: string): ServiceError {
  return new ServiceError('invalid-transaction', { detail });
}
