/**
 * What changes, announced: parts of the background wait for each other's changes in this life of the service worker, and
 * the wallet's own windows ask again for what they show.
 */
import { CHANGES } from '../../protocol/wallet-messages.ts';

const watchers = new Map<string, Set<() => void>>();

/** Waits for the next change of what `name` stands for. */
export function nextChange(name: string): Promise<void> {
  return new Promise((resolve) => {
    const set = watchers.get(name) ?? new Set();
    watchers.set(name, set);
    const wake = () => {
      set.delete(wake);
      if (set.size === 0) watchers.delete(name);
      resolve();
    };
    set.add(wake);
  });
}

/** Says that it has changed. */
export function signalChange(name: string): void {
  for (const wake of watchers.get(name) ?? []) wake();
}

/** Changes of the same moment are told once (milliseconds): an open window's questions must not slow a payment down. */
const TOGETHER_MS = 60;

const channel = new BroadcastChannel(CHANGES);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Something a window may show has changed. Carries nothing. */
export function announceChange(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    channel.postMessage(null);
  }, TOGETHER_MS);
}
