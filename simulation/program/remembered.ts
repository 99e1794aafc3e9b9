/** Caches results of pure functions by input: all wallets have the same words, so all worlds derive the same keys. */

/** Maximum number of a function's cached results. The cache is then cleared. */
const MOST = 20_000;

type Work = (...args: never[]) => unknown;

export const textOfBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? textOfBytes(value) : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** A copy, because callers wipe their results. */
const copyOf = (value: unknown): unknown => (value instanceof Uint8Array ? Uint8Array.from(value) : value);

/** A cache of limited size. */
export class Kept<T> {
  readonly #values = new Map<string, T>();

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: T): void {
    if (this.#values.size >= MOST) this.#values.clear();
    this.#values.set(key, value);
  }
}

/** A cached version of a function that never returns undefined. */
export function remembered<F extends Work>(work: F): F {
  const answers = new Kept<unknown>();
  return ((...args: never[]) => {
    const text = args.map(textOf).join('|');
    const known = answers.get(text);
    if (known !== undefined) return copyOf(known);
    const answer = work(...args);
    answers.set(text, copyOf(answer));
    return answer;
  }) as unknown as F;
}
