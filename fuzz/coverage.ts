/** Measures which branches a case reached and how often, with the counters from instrument.ts. */

/** Maximum number of branches in all loaded code. */
const MAX_BRANCHES = 1 << 16;
/** Maps an execution count to the bit of its range, as in AFL: 1, 2, 3, 4 to 7, and so on. */
const BUCKET = Uint8Array.from({ length: 256 }, (_, n) =>
  n < 4 ? (1 << n) >> 1 : n < 8 ? 8 : n < 16 ? 16 : n < 32 ? 32 : n < 128 ? 64 : 128,
);

class Coverage {
  readonly words = new Set<string>();
  readonly #counts = new Uint8Array(MAX_BRANCHES);
  #seen = new Uint8Array(MAX_BRANCHES);
  #end = 0;

  /** Called by each module when it is loaded. */
  note(end: number, words: readonly string[]): Uint8Array {
    this.#end = Math.max(this.#end, Math.min(end + 1, MAX_BRANCHES));
    for (const word of words) this.words.add(word);
    return this.#counts;
  }

  reset(): void {
    this.#counts.fill(0, 0, this.#end);
  }

  /** Called after a case. Returns true if the case reached a new branch, or a higher count range of a known branch. */
  isNew(): boolean {
    let news = false;
    for (let i = 0; i < this.#end; i += 1) {
      const count = this.#counts[i] as number;
      if (count === 0) continue;
      const bucket = BUCKET[count] as number;
      if (((this.#seen[i] as number) & bucket) !== 0) continue;
      (this.#seen[i] as number) |= bucket;
      news = true;
    }
    return news;
  }

  get reached(): number {
    return this.#seen.reduce((sum, bits) => sum + (bits === 0 ? 0 : 1), 0);
  }

  /** Resets the coverage before the next run. */
  forget(): void {
    this.#seen = new Uint8Array(MAX_BRANCHES);
  }
}

export const coverage = new Coverage();
(globalThis as { fuzzed?: Coverage }).fuzzed = coverage;
