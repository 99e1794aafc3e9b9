/** Generates reproducible random numbers: the same seed yields the same sequence. */

/** A seeded pseudorandom generator (mulberry32). Not cryptographically secure. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Skips the first values, which are similar for adjacent seeds.
    for (let i = 0; i < 4; i += 1) this.next();
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** Returns an integer from `from` to `to`, both inclusive. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    return this.filled(new Uint8Array(length));
  }

  filled<A extends ArrayBufferView>(array: A): A {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = this.below(256);
    return array;
  }
}
