/** Defines a fuzzing target: a parser of untrusted bytes, real examples of its input, and rules for every result. */
import { isDeepStrictEqual } from 'node:util';
import { ServiceError, type ErrorCode } from '../protocol/errors/service-error.ts';

export interface Target<T extends object = object> {
  /** How inputs are mutated: as bytes or as JSON. Text is mutated as UTF-8 bytes. */
  form: 'bytes' | 'json';
  /** Returns real examples so that mutations reach deep into the code. */
  seeds: () => readonly (Uint8Array | string)[];
  /**
   * Parses an input. Returns null if the input is rejected in the documented way. Any thrown error, or a running time
   * that is too long for the input's length, is a finding.
   */
  read: (input: Uint8Array) => T | null | Promise<T | null>;
  /**
   * Throws if the result differs from that of another parser, or changes when it is serialized and parsed again. The
   * check's running time isn't limited.
   */
  check?: (found: T, input: Uint8Array) => void | Promise<void>;
}

export const target = <T extends object>(one: Target<T>): Target => one as unknown as Target;

/** Returns the result of `read`, or null if `read` throws an error with one of these codes. Rethrows other errors. */
export function orRefusal<T>(codes: readonly ErrorCode[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError && codes.includes(error.code)) return null;
    throw error;
  }
}

export async function orRefusalOf<T>(codes: readonly ErrorCode[], read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && codes.includes(error.code)) return null;
    throw error;
  }
}

/** Returns the result of `read`, or null for any error. Used for parsers from other libraries. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

export function must(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new Error(rule);
}

export function mustEqual(a: unknown, b: unknown, rule: string): void {
  if (!isDeepStrictEqual(a, b)) throw new Error(`${rule}: ${written(a)} and ${written(b)}`);
}

const written = (value: unknown): string =>
  (JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? String(value)).slice(
    0,
    300,
  );

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** Decodes an input as text. Invalid UTF-8 becomes U+FFFD, as in a request's body. */
export const textOf = (input: Uint8Array): string => decoder.decode(input);
