/**
 * Stores the seed of an unlocked wallet. The seed must remain available if the service worker stops at any moment, but
 * not after a browser restart. It is encrypted twice: with a random half in `storage.session` (in memory), and with a
 * non-exportable key in IndexedDB. Decryption requires both, and a browser restart deletes the random half.
 */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { FIRST_VIEW, type FirstView } from '../../protocol/messages/first-view.ts';
import { CLOCK_SLACK_MS } from '../clock.ts';
import { deleteKey, readKey, writeKey } from '../store/database.ts';
import type { WrappedSeed } from './seal.ts';
import { part, type Wallet } from '../platform.ts';

export const SESSION_HALF = 'unlock-half';
export const LOCK_ALARM = 'lock';

const memoryOf = part(() => ({
  // Caches the seed to save two decryptions per use. `lockAt` is still checked, and locking wipes it.
  held: null as OpenSeed | null,
  // Number of locks so far. An unlock that began before a lock must not store the seed after it.
  drops: 0,
  // Serializes changes to the two halves so that halves from different unlocks are never combined.
  turn: Promise.resolve() as Promise<unknown>,
}));

/** When the wallet locks (milliseconds since 1970), and how long it stays unlocked (milliseconds). */
type Lock = Pick<WrappedSeed, 'lockAt' | 'lastsMs'>;
type OpenSeed = { seed: Uint8Array<ArrayBuffer> } & Lock;

/** True before the lock time. False if more time remains than at first, for example after the clock was set back. */
function isBefore(wallet: Wallet, { lockAt, lastsMs }: Lock): boolean {
  const left = lockAt - wallet.now();
  return left > 0 && left <= lastsMs + CLOCK_SLACK_MS;
}

const randomBytes = (wallet: Wallet, n: number) => wallet.getRandomValues(new Uint8Array(n));
const importHalf = (half: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', half, 'AES-GCM', false, ['encrypt', 'decrypt']);

function inTurn<T>(wallet: Wallet, work: () => Promise<T>): Promise<T> {
  const memory = memoryOf(wallet);
  const mine = memory.turn.then(work);
  memory.turn = mine.catch(() => undefined);
  return mine;
}

/**
 * Marks the start of an unlock. If the wallet is locked after that, the lock takes precedence, even if a password check
 * is still running.
 */
export type Beginning = number & { readonly of: unique symbol };

export function beginUnlocking(wallet: Wallet): Beginning {
  return memoryOf(wallet).drops as Beginning;
}

/**
 * Stores the seed until `lockAt`. Callers wipe their copy.
 * @throws ServiceError `wallet-locked` (locked since `begun`)
 */
export function storeSeed(
  wallet: Wallet,
  seed: Uint8Array<ArrayBuffer>,
  lockAt: number,
  begun: Beginning = beginUnlocking(wallet),
): Promise<void> {
  const memory = memoryOf(wallet);
  const copy = Uint8Array.from(seed);
  return inTurn(wallet, async () => {
    const sealed = await wrapped(wallet, copy, lockAt);
    const writes = [
      () => wallet.sessionStorage.set({ [SESSION_HALF]: sealed.half }),
      () => writeKey(wallet, 'session', sealed.record),
      () => wallet.alarms.create(LOCK_ALARM, { when: lockAt }),
    ];
    for (const write of writes) {
      if (memory.drops !== begun) break;
      await write();
    }
    // The lock is already queued, and removes everything written here.
    if (memory.drops !== begun) throw new ServiceError('wallet-locked');
    forgetHeld(wallet);
    memory.held = { seed: Uint8Array.from(copy), lockAt, lastsMs: sealed.record.lastsMs };
  }).finally(() => copy.fill(0));
}

/** Encrypts the seed twice. Returns the random half (base64), and the record for the database. */
async function wrapped(
  wallet: Wallet,
  seed: Uint8Array<ArrayBuffer>,
  lockAt: number,
): Promise<{ half: string; record: WrappedSeed }> {
  const lastsMs = lockAt - wallet.now();
  const half = randomBytes(wallet, 32);
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const innerIv = randomBytes(wallet, 12);
  const outerIv = randomBytes(wallet, 12);
  const inner = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: innerIv }, await importHalf(half), seed);
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: outerIv }, key, inner));
  return { half: btoa(String.fromCharCode(...half)), record: { key, outerIv, innerIv, ciphertext, lockAt, lastsMs } };
}

/** Returns both halves if they exist and haven't expired. Otherwise removes any half that is left. */
async function bothHalves(wallet: Wallet): Promise<{ half: string; record: WrappedSeed } | null> {
  const record = await readKey(wallet, 'session');
  if (!record) return null;
  const half = (await wallet.sessionStorage.get(SESSION_HALF))[SESSION_HALF];
  if (typeof half === 'string' && isBefore(wallet, record)) return { half, record };
  await removeHalves(wallet); // expired, or from different unlocks because the worker stopped between the writes
  return null;
}

/**
 * Returns when the wallet locks (milliseconds since 1970), or null if locked. Locks the wallet if that time has passed.
 */
export async function unlockedUntil(wallet: Wallet): Promise<number | null> {
  const memory = memoryOf(wallet);
  const before = memory.drops;
  const both = await inTurn(wallet, () => bothHalves(wallet));
  return memory.drops === before && both ? both.record.lockAt : null;
}

/**
 * Starts watching whether the wallet locks.
 * @returns a function that returns true if the wallet has remained unlocked
 */
export async function watchLock(wallet: Wallet): Promise<() => boolean> {
  const memory = memoryOf(wallet);
  const before = memory.drops;
  const until = await unlockedUntil(wallet);
  return () => until !== null && memory.drops === before && until > wallet.now();
}

/** Runs `use` with the seed. @throws ServiceError `wallet-locked` */
export async function withSeed<T>(wallet: Wallet, use: (seed: Uint8Array<ArrayBuffer>) => T | Promise<T>): Promise<T> {
  const memory = memoryOf(wallet);
  if (memory.held && isBefore(wallet, memory.held)) return withCopy(memory.held.seed, use);
  const before = memory.drops;
  const opened = await inTurn(wallet, () => openHalves(wallet));
  // The wallet may have been locked during the decryption.
  if (!opened || memory.drops !== before) throw new ServiceError('wallet-locked');
  forgetHeld(wallet);
  memory.held = opened;
  return withCopy(opened.seed, use);
}

async function openHalves(wallet: Wallet): Promise<OpenSeed | null> {
  const both = await bothHalves(wallet);
  if (!both) return null;
  const seed = await unwrapped(both.record, both.half);
  if (seed) return { seed, lockAt: both.record.lockAt, lastsMs: both.record.lastsMs };
  await removeHalves(wallet);
  return null;
}

/** Decrypts the seed with both halves; null if they don't match. */
async function unwrapped(
  { key, outerIv, innerIv, ciphertext }: WrappedSeed,
  half: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const inner = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: outerIv }, key, ciphertext);
    const halfKey = await importHalf(Uint8Array.from(atob(half), (c) => c.charCodeAt(0)));
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: innerIv }, halfKey, inner));
  } catch {
    return null;
  }
}

/** Passes a separate copy to each use, because locking wipes the seed, possibly during a signature. */
async function withCopy<T>(
  seed: Uint8Array<ArrayBuffer>,
  use: (seed: Uint8Array<ArrayBuffer>) => T | Promise<T>,
): Promise<T> {
  const copy = Uint8Array.from(seed);
  try {
    return await use(copy);
  } finally {
    copy.fill(0);
  }
}

/**
 * Makes the wallet lock no later than a given time (milliseconds since 1970). An earlier lock time remains in effect.
 */
export function lockBy(wallet: Wallet, time: number): Promise<void> {
  const memory = memoryOf(wallet);
  return inTurn(wallet, async () => {
    const record = await readKey(wallet, 'session');
    if (!record || record.lockAt <= time) return;
    const lock: Lock = { lockAt: time, lastsMs: time - wallet.now() };
    if (memory.held) Object.assign(memory.held, lock);
    await wallet.sessionStorage.remove(FIRST_VIEW); // stored with the old lock time
    await writeKey(wallet, 'session', { ...record, ...lock });
    await wallet.alarms.create(LOCK_ALARM, { when: time });
  });
}

/** Stores the popup's first view until the wallet locks. Does nothing if it is locked. */
export function storeFirstView(wallet: Wallet, view: Omit<FirstView, keyof Lock>): Promise<void> {
  return inTurn(wallet, async () => {
    const both = await bothHalves(wallet);
    if (!both) return;
    const { lockAt, lastsMs } = both.record;
    await wallet.sessionStorage.set({ [FIRST_VIEW]: { ...view, lockAt, lastsMs } });
  });
}

/** Deletes the seed, including one that an unlock in progress would store. Idempotent. */
export async function deleteSeed(wallet: Wallet): Promise<void> {
  memoryOf(wallet).drops += 1;
  forgetHeld(wallet);
  await inTurn(wallet, () => removeHalves(wallet));
}

function forgetHeld(wallet: Wallet): void {
  const memory = memoryOf(wallet);
  memory.held?.seed.fill(0);
  memory.held = null;
}

async function removeHalves(wallet: Wallet): Promise<void> {
  forgetHeld(wallet);
  // The session storage is cleared first. If the worker stops after that, the next use of the wallet deletes the
  // database record.
  await wallet.sessionStorage.remove([SESSION_HALF, FIRST_VIEW]);
  await deleteKey(wallet, 'session');
  await wallet.alarms.clear(LOCK_ALARM);
}
