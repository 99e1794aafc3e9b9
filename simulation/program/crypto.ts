/**
 * The `crypto` of a simulated browser: WebCrypto's results from Node's synchronous functions, so that no thread affects
 * their order. Passwords get few rounds of key stretching.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, pbkdf2Sync } from 'node:crypto';
import type { Random } from '../random.ts';

/** Replaces a CryptoKey. It can be stored as one. */
interface Key {
  type: 'secret';
  bytes: Uint8Array;
}
type Bytes = ArrayBuffer | Uint8Array;
/** The algorithm parameters that the wallet uses. */
interface Parameters {
  name: string;
  iv?: Uint8Array;
  additionalData?: Uint8Array;
  salt: Uint8Array;
  info?: Uint8Array;
  length?: number;
}
type Later = <T>(name: string, work: () => T) => Promise<T>;

const TAG_BYTES = 16;
const ITERATIONS = 10;

const bytesOf = (bytes: Bytes) => new Uint8Array(bytes);
const secret = (bytes: Bytes): Key => ({ type: 'secret', bytes: bytesOf(bytes) });
const whole = (...parts: Uint8Array[]): ArrayBuffer => Uint8Array.from(Buffer.concat(parts)).buffer;

function derived({ name, salt, info }: Parameters, { bytes }: Key, bits: number): ArrayBuffer {
  if (name === 'PBKDF2') return whole(pbkdf2Sync(bytes, salt, ITERATIONS, bits / 8, 'sha256'));
  if (name === 'HKDF') return hkdfSync('sha256', bytes, salt, info ?? new Uint8Array(), bits / 8);
  throw new Error(`${name} is not simulated`);
}

const OPERATIONS = {
  digest: (_: 'SHA-256', bytes: Bytes) => whole(createHash('sha256').update(bytesOf(bytes)).digest()),
  importKey: (_: 'raw', bytes: Bytes) => secret(bytes),
  deriveKey: (parameters: Parameters, key: Key, { length = 256 }: Parameters) =>
    secret(derived(parameters, key, length)),
  deriveBits: derived,
  encrypt({ name, iv = new Uint8Array(), additionalData }: Parameters, { bytes }: Key, plaintext: Bytes) {
    if (name === 'AES-CBC') {
      const cipher = createCipheriv(`aes-${bytes.length * 8}-cbc`, bytes, iv);
      return whole(cipher.update(bytesOf(plaintext)), cipher.final());
    }
    const cipher = createCipheriv(`aes-${(bytes.length * 8) as 256}-gcm`, bytes, iv);
    if (additionalData) cipher.setAAD(additionalData);
    return whole(cipher.update(bytesOf(plaintext)), cipher.final(), cipher.getAuthTag());
  },
  decrypt({ name, iv = new Uint8Array(), additionalData }: Parameters, { bytes }: Key, given: Bytes) {
    const ciphertext = bytesOf(given);
    if (name === 'AES-CBC') {
      const decipher = createDecipheriv(`aes-${bytes.length * 8}-cbc`, bytes, iv);
      return whole(decipher.update(ciphertext), decipher.final());
    }
    const decipher = createDecipheriv(`aes-${(bytes.length * 8) as 256}-gcm`, bytes, iv);
    if (additionalData) decipher.setAAD(additionalData);
    decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
    return whole(decipher.update(ciphertext.subarray(0, -TAG_BYTES)), decipher.final());
  },
};

export function simulatedCrypto(random: Random, later: Later): object {
  const operations: Record<string, (...args: never[]) => unknown> = {
    ...OPERATIONS,
    generateKey: ({ length = 256 }: Parameters) => secret(random.bytes(length / 8)),
  };
  return {
    getRandomValues: <A extends ArrayBufferView>(array: A) => random.filled(array),
    randomUUID: () => {
      const hex = Buffer.from(random.bytes(16)).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    subtle: Object.fromEntries(
      Object.entries(operations).map(([name, work]) => [
        name,
        (...args: never[]) => later(`crypto ${name}`, () => work(...args)),
      ]),
    ),
  };
}
