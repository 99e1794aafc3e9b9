/** What is fuzzed: a parser of foreign bytes, real examples of what it reads, and what must be so of every answer. */
import { isDeepStrictEqual } from 'node:util';
import { ServiceError, type ErrorCode } from '../protocol/errors.ts';

/** A parser, as the fuzzer calls it. */
export interface Target<T extends object = object> {
  /** How inputs are changed: as bytes, or as the JSON that they are. Text is bytes in UTF-8. */
  form: 'bytes' | 'json';
  /** Real examples: what grows from them reaches deep. */
  seeds: () => readonly (Uint8Array | string)[];
  /**
   * Reads an input and gives what it found; null for what it refuses in the documented way. Whatever it throws is a finding, and so is
   * more time than its bytes explain.
   */
  read: (input: Uint8Array) => T | null | Promise<T | null>;
  /** Throws where the answer is wrong: not what another reader found, or not what was written. Its time does not count. */
  check?: (found: T, input: Uint8Array) => void | Promise<void>;
}

/** A target with the type of its answers inferred. */
export const target = <T extends object>(one: Target<T>): Target => one as unknown as Target;

/** What `read` gives; null where it refuses by an error with one of these codes. Other errors pass. */
export function orRefusal<T>(codes: readonly ErrorCode[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError && codes.includes(error.code)) return null;
    throw error;
  }
}

/** {@link orRefusal} of what takes a while. */
export async function orRefusalOf<T>(codes: readonly ErrorCode[], read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && codes.includes(error.code)) return null;
    throw error;
  }
}

/** What `read` gives; null where it throws, whatever that is: for other people's readers. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** What must hold of an answer. */
export function must(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new Error(rule);
}

/** Two answers that must be the same. */
export function mustEqual(a: unknown, b: unknown, rule: string): void {
  if (!isDeepStrictEqual(a, b)) throw new Error(`${rule}: ${written(a)} and ${written(b)}`);
}

const written = (value: unknown): string =>
  (JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? String(value)).slice(
    0,
    300,
  );

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** An input as text: what is no UTF-8 becomes U+FFFD, as in a body that was received. */
export const textOf = (input: Uint8Array): string => decoder.decode(input);
