/** Entries that were read, into the log that this wallet has. */
import type { LoggedEntry } from '../app-log/entry.ts';
import { keyOf } from '../app-log/entry.ts';
import type { KeyTransaction } from './state.ts';
import type { SealedEntry } from './block.ts';

/**
 * Of two about the same, the one after more changes counts; of two after as many, that it is gone, else the same one in
 * each wallet. Pure.
 */
export function isNewer(read: SealedEntry, held: SealedEntry | undefined): boolean {
  if (!held || read.version !== held.version) return !held || read.version > held.version;
  const isGone = ({ entry }: SealedEntry) => entry.kind === 'output-gone';
  if (isGone(read) !== isGone(held)) return isGone(read);
  return JSON.stringify(read.entry) > JSON.stringify(held.entry);
}

/**
 * Takes those that are newer; they are applied after that, in the order in which they were recorded.
 * @param from a file's are sent to the service as well
 * @returns how many
 */
export async function merge(
  tx: KeyTransaction,
  entries: readonly SealedEntry[],
  from: 'service' | 'file',
): Promise<number> {
  const store = tx.objectStore('appLog');
  let taken = 0;
  for (const { entry, version, at } of entries) {
    const key = keyOf(entry);
    const held = await store.get(key);
    if (!isNewer({ entry, version, at }, held)) continue;
    const merged: LoggedEntry = { key, entry, version, at, unapplied: Math.min(at, Date.now()) };
    await store.put(from === 'file' ? { ...merged, unsent: 1 } : merged);
    taken += 1;
  }
  return taken;
}
