/** Converts, compares and concatenates bytes. Hexadecimal is written in lower case and read in both cases. */
import { ServiceError } from '../errors/service-error.ts';

/**
 * True if the text is an even number of hexadecimal digits, or empty. Searches for any other character, because a
 * regular expression that matches the whole text can overflow V8's stack (see http/hex.ts).
 */
export function isHex(text: string): boolean {
  return text.length % 2 === 0 && !/[^0-9a-fA-F]/.test(text);
}

const DIGITS = /* @__PURE__ */ new TextEncoder().encode('0123456789abcdef');

/** Encodes bytes as lower-case hexadecimal. Concatenating strings would take seconds for megabytes. */
export function toHex(bytes: Uint8Array): string {
  const digits = new Uint8Array(2 * bytes.length);
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] as number;
    digits[2 * i] = DIGITS[byte >> 4] as number;
    digits[2 * i + 1] = DIGITS[byte & 15] as number;
  }
  return new TextDecoder().decode(digits);
}

const valueOf = (code: number) => (code < 58 ? code - 48 : (code | 32) - 87);

/** Decodes hexadecimal. @throws ServiceError `invalid-request` */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!isHex(text)) throw new ServiceError('invalid-request', { detail: 'invalid hexadecimal' });
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1)
    bytes[i] = (valueOf(text.charCodeAt(2 * i)) << 4) | valueOf(text.charCodeAt(2 * i + 1));
  return bytes;
}

/** Compares bytes. Not constant-time, so only for public data. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export function concatBytes(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joinBytes(parts);
}

/**
 * Concatenates any number of byte arrays. {@link concatBytes} would exceed the engine's maximum number of arguments.
 */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
