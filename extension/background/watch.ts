/** Lets parts of the background wait for each other's changes, in this life of the service worker. */

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
export function tellChange(name: string): void {
  for (const wake of watchers.get(name) ?? []) wake();
}
