/**
 * The seed while the wallet is unlocked. The service worker may die at any moment, so the seed must outlive it, but not
 * the browser: it is sealed twice, under a random half that `storage.session` keeps in memory and under a key in
 * IndexedDB that cannot be exported. Either alone opens nothing, and a browser restart drops the first.
 */
import browser from 'webextension-polyfill';
import { ServiceError } from '../../../protocol/errors.ts';
import { deleteKey, readKey, writeKey } from '../database.ts';

/** What IndexedDB holds of an unlocked wallet. `lockAt` is milliseconds since 1970. */
export interface WrappedSeed {
  key: CryptoKey;
  outerIv: Uint8Array<ArrayBuffer>;
  innerIv: Uint8Array<ArrayBuffer>;
  ciphertext: Uint8Array<ArrayBuffer>;
  lockAt: number;
}

/** Name of the random half in `storage.session`. */
export const SESSION_HALF = 'unlock-half';
/** Name of the alarm that locks. */
export const LOCK_ALARM = 'lock';

// Spares two decryptions a use while the worker lives. `lockAt` is checked all the same, and locking wipes it.
let held: { seed: Uint8Array<ArrayBuffer>; lockAt: number } | null = null;
// How often it was dropped: what was begun before a drop must not bring the seed back after it.
let drops = 0;

const randomBytes = (n: number) => crypto.getRandomValues(new Uint8Array(n));
const importHalf = (half: Uint8Array<ArrayBuffer>) => crypto.subtle.importKey('raw', half, 'AES-GCM', false, ['encrypt', 'decrypt']);

/** Keeps the seed until `lockAt`. The caller's copy stays the caller's to wipe. */
export async function holdSeed(seed: Uint8Array<ArrayBuffer>, lockAt: number): Promise<void> {
  const half = randomBytes(32);
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const innerIv = randomBytes(12);
  const outerIv = randomBytes(12);
  const inner = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: innerIv }, await importHalf(half), seed);
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: outerIv }, key, inner));
  await browser.storage.session.set({ [SESSION_HALF]: btoa(String.fromCharCode(...half)) });
  await writeKey('session', { key, outerIv, innerIv, ciphertext, lockAt });
  await browser.alarms.create(LOCK_ALARM, { when: lockAt });
  held = { seed: Uint8Array.from(seed), lockAt };
}

/** When the wallet locks, in milliseconds since 1970; null while it is locked. Locks it where that time has come. */
export async function unlockedUntil(): Promise<number | null> {
  const wrapped = await readKey('session');
  if (!wrapped) return null;
  const half = (await browser.storage.session.get(SESSION_HALF))[SESSION_HALF];
  if (typeof half === 'string' && wrapped.lockAt > Date.now()) return wrapped.lockAt;
  await dropSeed();
  return null;
}

/**
 * Runs `use` with the seed.
 * @throws ServiceError `wallet-locked`
 */
export async function withSeed<T>(use: (seed: Uint8Array<ArrayBuffer>) => T | Promise<T>): Promise<T> {
  if (held && held.lockAt > Date.now()) return withCopy(held.seed, use);
  if ((await unlockedUntil()) === null) throw new ServiceError('wallet-locked');
  const wrapped = await readKey('session');
  const half = (await browser.storage.session.get(SESSION_HALF))[SESSION_HALF];
  if (!wrapped || typeof half !== 'string') throw new ServiceError('wallet-locked');
  const before = drops;
  const seed = await unwrapped(wrapped, half);
  // Locked while it was being fetched, or the halves are of two unlockings (the worker was stopped between their writing).
  if (seed === null) await dropSeed();
  if (seed === null || drops !== before) throw new ServiceError('wallet-locked');
  held = { seed, lockAt: wrapped.lockAt };
  return withCopy(seed, use);
}

/** The seed from both of its halves, or null where they do not belong together. */
async function unwrapped({ key, outerIv, innerIv, ciphertext }: WrappedSeed, half: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const inner = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: outerIv }, key, ciphertext);
    const halfKey = await importHalf(Uint8Array.from(atob(half), (c) => c.charCodeAt(0)));
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: innerIv }, halfKey, inner));
  } catch {
    return null;
  }
}

/** A copy of its own for every use: locking in the middle of a signature must not turn the key into another one. */
async function withCopy<T>(seed: Uint8Array<ArrayBuffer>, use: (seed: Uint8Array<ArrayBuffer>) => T | Promise<T>): Promise<T> {
  const copy = Uint8Array.from(seed);
  try {
    return await use(copy);
  } finally {
    copy.fill(0);
  }
}

/** Forgets the seed. Doing it twice is as good as once. */
export async function dropSeed(): Promise<void> {
  drops += 1;
  held?.seed.fill(0);
  held = null;
  await deleteKey('session');
  await browser.storage.session.remove(SESSION_HALF);
  await browser.alarms.clear(LOCK_ALARM);
}
