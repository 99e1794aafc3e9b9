/**
 * Globals that the wallet uses directly instead of through its platform: key ranges and WebCrypto. Must be imported
 * before the wallet's modules.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, pbkdf2Sync } from 'node:crypto';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** A replacement for CryptoKey that the memory database can store. */
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
  iterations?: number;
  length?: number;
}
interface Surroundings {
  scheduler: Scheduler;
  random: Random;
}

const TAG_BYTES = 16;

let world: Surroundings | null = null;

/** From now on, schedules all WebCrypto operations as tasks in this world. */
export function useCryptoIn(next: Surroundings): void {
  world = next;
}

const bytesOf = (bytes: Bytes) => new Uint8Array(bytes);
const secret = (bytes: Bytes): Key => ({ type: 'secret', bytes: bytesOf(bytes) });
const whole = (...parts: Uint8Array[]): ArrayBuffer => Uint8Array.from(Buffer.concat(parts)).buffer;

function derived({ name, salt, info, iterations = 0 }: Parameters, { bytes }: Key, bits: number): ArrayBuffer {
  if (name === 'PBKDF2') return whole(pbkdf2Sync(bytes, salt, iterations, bits / 8, 'sha256'));
  if (name === 'HKDF') return hkdfSync('sha256', bytes, salt, info ?? new Uint8Array(), bits / 8);
  throw new Error(`${name} is not simulated`);
}

/**
 * WebCrypto operations, implemented with Node's synchronous functions, because threads would make their order random.
 */
const OPERATIONS = {
  digest: (_: 'SHA-256', bytes: Bytes) => whole(createHash('sha256').update(bytesOf(bytes)).digest()),
  importKey: (_: 'raw', bytes: Bytes) => secret(bytes),
  generateKey: ({ length = 256 }: Parameters) => secret((world as Surroundings).random.bytes(length / 8)),
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

/**
 * Delivers an operation's result in a task of the calling worker. Reads the arguments synchronously, like WebCrypto.
 */
const inTurn =
  (name: string, work: (...args: never[]) => unknown) =>
  (...args: never[]) => {
    const { scheduler } = world as Surroundings;
    const result = new Promise((resolve) => resolve(work(...args)));
    result.catch(() => undefined);
    return new Promise((resolve) => scheduler.add(`crypto ${name}`, () => resolve(result), { owner: scheduler.owner }));
  };

const { subtle } = crypto;
const { scheduler } = globalThis as { scheduler?: unknown };

const setSubtle = (value: object) => Object.defineProperty(crypto, 'subtle', { value, configurable: true });

setSubtle(Object.fromEntries(Object.entries(OPERATIONS).map(([name, work]) => [name, inTurn(name, work)])));
Object.assign(globalThis, {
  // @noble/hashes yields during long computations, at times that depend on the machine.
  scheduler: { yield: () => Promise.resolve() },
});

/** Restores the globals, for the test files that run later in this process. */
export function restoreGlobals(): void {
  setSubtle(subtle);
  Object.assign(globalThis, { scheduler });
}
