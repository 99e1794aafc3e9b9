/** Sequential byte reader with bounds checks. */
import { EnvelopeError } from './envelope-error.ts';

/** Reads bytes from front to back. Throws {@link EnvelopeError} 463 on any error. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  fail(message: string): never {
    throw new EnvelopeError(463, message);
  }

  skip(n: number): number {
    const at = this.at;
    if (n > this.bytes.length - at) this.fail('unexpected end of the bytes');
    this.at = at + n;
    return at;
  }

  take(n: number): Uint8Array {
    const at = this.skip(n);
    return this.bytes.subarray(at, at + n);
  }

  uint8(): number {
    return this.#view.getUint8(this.skip(1));
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.skip(8), true);
  }

  /** Reads a minimally encoded compact size of up to 32 bits, as the strict transaction parser does. */
  compactSize(): number {
    const first = this.uint8();
    if (first < 0xfd) return first;
    if (first === 0xff) this.fail('a count exceeds 32 bits');
    const n = first === 0xfd ? this.#view.getUint16(this.skip(2), true) : this.#view.getUint32(this.skip(4), true);
    if (n < (first === 0xfd ? 0xfd : 0x1_0000)) this.fail('a compact size is not minimally encoded');
    return n;
  }

  end(): void {
    if (this.at !== this.bytes.length) this.fail('trailing bytes');
  }
}
