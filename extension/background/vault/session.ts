/**
 * The seed while the wallet is unlocked. The service worker may be killed at any moment, so the seed must outlive it,
 * but not the browser. It is sealed twice: under a random half that `storage.session` keeps in memory, and under a
 * non-exportable key in IndexedDB. Neither opens anything by itself, and a browser restart drops the first.
 */
import browser from 'webextension-polyfill';
import { ServiceError } from '../../../protocol/errors.ts';
import { FIRST_VIEW, type FirstView } from '../../../protocol/first-view.ts';
import { CLOCK_SLACK_MS } from '../clock.ts';
import { deleteKey, readKey, writeKey } from '../database.ts';
import type { WrappedSeed } from './seal.ts';

export const SESSION_HALF = 'unlock-half';
export const LOCK_ALARM = 'lock';

// Saves two decryptions for each use while the worker runs. `lockAt` is checked all the same, and locking wipes it.
let held: OpenSeed | null = null;
// Number of drops so far. Work that began before a drop must not restore the seed after it.
let drops = 0;
// Serializes writing, comparing and removing the halves, so that no one reads halves of two different unlocks.
let turn: Promise<unknown> = Promise.resolve();

/** When the wallet locks (milliseconds since 1970), and how long it was to stay unlocked (milliseconds). */
type Lock = Pick<WrappedSeed, 'lockAt' | 'lastsMs'>;
type OpenSeed = { seed: Uint8Array<ArrayBuffer> } & Lock;

/** True before the lock time. If that is further ahead than when set, the clock was set back, so the wallet locks. */
function isBefore({ lockAt, lastsMs }: Lock): boolean {
  const left = lockAt - Date.now();
  return left > 0 && left <= lastsMs + CLOCK_SLACK_MS;
}

const randomBytes = (n: number) => crypto.getRandomValues(new Uint8Array(n));
const importHalf = (half: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', half, 'AES-GCM', false, ['encrypt', 'decrypt']);

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work);
  turn = mine.catch(() => undefined);
  return mine;
}

/** The moment at which an unlock begins. Any lock after it wins, even if the password check takes long. */
export type Beginning = number & { readonly of: unique symbol };

export function beginUnlocking(): Beginning {
  return drops as Beginning;
}

/** Stores the seed until `lockAt`. The caller wipes its copy. @throws ServiceError `wallet-locked` (since `begun`) */
export function holdSeed(
  seed: Uint8Array<ArrayBuffer>,
  lockAt: number,
  begun: Beginning = beginUnlocking(),
): Promise<void> {
  const copy = Uint8Array.from(seed);
  return inTurn(async () => {
    const sealed = await wrapped(copy, lockAt);
    const writes = [
      () => browser.storage.session.set({ [SESSION_HALF]: sealed.half }),
      () => writeKey('session', sealed.record),
      () => browser.alarms.create(LOCK_ALARM, { when: lockAt }),
    ];
    for (const write of writes) {
      if (drops !== begun) break;
      await write();
    }
    // The lock removes everything written until now in the next turn.
    if (drops !== begun) throw new ServiceError('wallet-locked');
    forgetHeld();
    held = { seed: Uint8Array.from(copy), lockAt, lastsMs: sealed.record.lastsMs };
  }).finally(() => copy.fill(0));
}

/** The seed sealed twice: the random half as text, and the record that holds the rest. */
async function wrapped(seed: Uint8Array<ArrayBuffer>, lockAt: number): Promise<{ half: string; record: WrappedSeed }> {
  const lastsMs = lockAt - Date.now();
  const half = randomBytes(32);
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const innerIv = randomBytes(12);
  const outerIv = randomBytes(12);
  const inner = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: innerIv }, await importHalf(half), seed);
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: outerIv }, key, inner));
  return { half: btoa(String.fromCharCode(...half)), record: { key, outerIv, innerIv, ciphertext, lockAt, lastsMs } };
}

/** Both halves, if present and not expired. Removes leftovers of an unlock that is over. */
async function bothHalves(): Promise<{ half: string; record: WrappedSeed } | null> {
  const record = await readKey('session');
  if (!record) return null;
  const half = (await browser.storage.session.get(SESSION_HALF))[SESSION_HALF];
  if (typeof half === 'string' && isBefore(record)) return { half, record };
  await removeHalves(); // Of two unlocks: the worker was stopped between the writes.
  return null;
}

/** When the wallet locks, in milliseconds since 1970; null while it is locked. Locks it if that time has passed. */
export async function unlockedUntil(): Promise<number | null> {
  const before = drops;
  const both = await inTurn(bothHalves);
  return drops === before && both ? both.record.lockAt : null;
}

/** Watches the lock without waiting. @returns a function: true if unlocked ever since */
export async function watchLock(): Promise<() => boolean> {
  const before = drops;
  const until = await unlockedUntil();
  return () => until !== null && drops === before && until > Date.now();
}

/** Runs `use` with the seed. @throws ServiceError `wallet-locked` */
export async function withSeed<T>(use: (seed: Uint8Array<ArrayBuffer>) => T | Promise<T>): Promise<T> {
  if (held && isBefore(held)) return withCopy(held.seed, use);
  const before = drops;
  const opened = await inTurn(openHalves);
  // It may have been locked while it was being fetched.
  if (!opened || drops !== before) throw new ServiceError('wallet-locked');
  forgetHeld();
  held = opened;
  return withCopy(opened.seed, use);
}

async function openHalves(): Promise<OpenSeed | null> {
  const both = await bothHalves();
  if (!both) return null;
  const seed = await unwrapped(both.record, both.half);
  if (seed) return { seed, lockAt: both.record.lockAt, lastsMs: both.record.lastsMs };
  await removeHalves();
  return null;
}

/** The seed from its two halves, or null if they don't belong together. */
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

/** A separate copy for every use: locking in the middle of a signature must not change the key. */
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

/** Makes an unlocked wallet lock by a time (milliseconds since 1970). Never delays an earlier lock time. */
export function lockBy(time: number): Promise<void> {
  return inTurn(async () => {
    const record = await readKey('session');
    if (!record || record.lockAt <= time) return;
    const lock: Lock = { lockAt: time, lastsMs: time - Date.now() };
    if (held) Object.assign(held, lock);
    await browser.storage.session.remove(FIRST_VIEW); // it ends at the time that it was written with
    await writeKey('session', { ...record, ...lock });
    await browser.alarms.create(LOCK_ALARM, { when: time });
  });
}

/** Keeps the popup's first view until the wallet locks. Keeps nothing while it is locked. */
export function keepFirstView(view: Omit<FirstView, keyof Lock>): Promise<void> {
  return inTurn(async () => {
    const both = await bothHalves();
    if (!both) return;
    const { lockAt, lastsMs } = both.record;
    await browser.storage.session.set({ [FIRST_VIEW]: { ...view, lockAt, lastsMs } });
  });
}

/** Forgets the seed, including one that an unlock in progress would store. Idempotent. */
export async function dropSeed(): Promise<void> {
  drops += 1;
  forgetHeld();
  await inTurn(removeHalves);
}

function forgetHeld(): void {
  held?.seed.fill(0);
  held = null;
}

async function removeHalves(): Promise<void> {
  forgetHeld();
  // The record goes last: while it exists, the next use of the wallet removes the leftovers of a killed worker.
  await browser.storage.session.remove([SESSION_HALF, FIRST_VIEW]);
  await deleteKey('session');
  await browser.alarms.clear(LOCK_ALARM);
}
