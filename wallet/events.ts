/**
 * Change events. Modules use the events to wait for each other's changes, and windows use them to reload their content.
 */
import { CHANGES } from '../protocol/messages/wire.ts';
import { part, type Timer, type Wallet } from './platform.ts';

const watchers = part(() => new Map<string, Set<() => void>>());

export function nextChange(wallet: Wallet, name: string): Promise<void> {
  return new Promise((resolve) => {
    const set = watchers(wallet).get(name) ?? new Set();
    watchers(wallet).set(name, set);
    const wake = () => {
      set.delete(wake);
      if (set.size === 0) watchers(wallet).delete(name);
      resolve();
    };
    set.add(wake);
  });
}

export function signalChange(wallet: Wallet, name: string): void {
  for (const wake of watchers(wallet).get(name) ?? []) wake();
}

/** Period within which changes are announced together (milliseconds). */
const TOGETHER_MS = 60;
/** Maximum number of times that an announcement is delayed while {@link beforeAnnouncing} runs. */
const MAX_WAITS = 8;

const channel = part((wallet) => wallet.openChannel(CHANGES));

const memoryOf = part(() => ({
  timer: undefined as Timer | undefined,
  /** Number of {@link beforeAnnouncing} calls in progress. */
  running: 0,
}));
const listeners = part(() => new Set<() => void>());

/** Announces a change to something that windows may show. */
export function announceChange(wallet: Wallet): void {
  if (memoryOf(wallet).timer === undefined) announceLater(wallet, MAX_WAITS);
}

function announceLater(wallet: Wallet, waits: number): void {
  const memory = memoryOf(wallet);
  memory.timer = wallet.setTimeout(() => {
    if (memory.running > 0 && waits > 0) return announceLater(wallet, waits - 1);
    memory.timer = undefined;
    channel(wallet).postMessage(null);
    for (const listener of listeners(wallet)) listener();
    signalChange(wallet, CHANGES);
  }, TOGETHER_MS);
}

/**
 * Runs an action that the user is waiting for. Delays announcements until the action ends (for at most half a second),
 * because their listeners would compete for the database.
 */
export async function beforeAnnouncing<T>(wallet: Wallet, run: () => Promise<T>): Promise<T> {
  const memory = memoryOf(wallet);
  memory.running += 1;
  try {
    return await run();
  } finally {
    memory.running -= 1;
  }
}

export const nextAnnouncement = (wallet: Wallet): Promise<void> => nextChange(wallet, CHANGES);

/** Registers a background listener that is called whenever a change is announced to the windows. */
export function onAnnouncement(wallet: Wallet, listener: () => void): void {
  listeners(wallet).add(listener);
}
