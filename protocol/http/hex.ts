/**
 * Schemas for one or more bytes in hexadecimal. No regular expression matches the whole text, because after a process
 * has compiled about a megabyte of regular expressions, V8 no longer optimizes new ones, and a pattern such as
 * `^(?:[0-9a-f]{2})+$` overflows V8's stack after four million digits.
 */
import * as z from 'zod/mini';
import { isHex } from '../bitcoin/bytes.ts';

const schema = (isValid: (text: string) => boolean, pattern: string) => (maxDigits: number) =>
  z.string().check(z.minLength(2), z.maxLength(maxDigits), z.refine(isValid), z.meta({ pattern }));

/** Creates a schema for lower-case hexadecimal, as written by the wallet and the service. */
export const lowerCaseHex = schema((text) => isHex(text) && !/[A-F]/.test(text), '^(?:[0-9a-f]{2})+$');

/** Creates a schema for hexadecimal in either case, because other paymail hosts may use upper case. */
export const hex = schema(isHex, '^(?:[0-9a-fA-F]{2})+$');
