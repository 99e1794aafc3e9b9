/** Change events: parts of the background wait for each other's changes, and the windows reload their content. */
import { CHANGES } from '../../protocol/wire.ts';

const watchers = new Map<string, Set<() => void>>();

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

export function signalChange(name: string): void {
  for (const wake of watchers.get(name) ?? []) wake();
}

/** Changes within this time are announced once (milliseconds), so that open windows don't slow a payment down. */
const TOGETHER_MS = 60;

const channel = new BroadcastChannel(CHANGES);

let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Announces that something a window may show has changed. Has no content. */
export function announceChange(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    channel.postMessage(null);
    for (const listener of listeners) listener();
    signalChange(CHANGES);
  }, TOGETHER_MS);
}

export const nextAnnouncement = (): Promise<void> => nextChange(CHANGES);

/** Receives the windows' announcements in the background. */
export function onAnnouncement(listener: () => void): void {
  listeners.add(listener);
}
