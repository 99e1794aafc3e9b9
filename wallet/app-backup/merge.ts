import type { LoggedEntry } from '../app-log/entry.ts';
import { deletionKey, isDeletion, keyOf } from '../app-log/entry.ts';
import type { SealedEntry } from './block.ts';
import { getLogged, loggedOutputs, type LogTransaction, putLogged } from '../app-log/records.ts';
import type { Wallet } from '../platform.ts';

/**
 * True if an entry replaces the stored one. The higher version wins. On a tie, deletions win; otherwise, a fixed order
 * decides. Pure.
 */
export function isNewer(read: SealedEntry, held: SealedEntry | undefined): boolean {
  if (!held || read.version !== held.version) return !held || read.version > held.version;
  if (isDeletion(read.entry) !== isDeletion(held.entry)) return isDeletion(read.entry);
  return JSON.stringify(read.entry) > JSON.stringify(held.entry);
}

/**
 * Stores entries that are newer than the stored ones. They are applied later, in the order in which they were recorded.
 * @param from the source; entries from a file are also sent to the service
 * @returns the number of stored entries
 */
export async function merge(
  wallet: Wallet,
  tx: LogTransaction,
  entries: readonly SealedEntry[],
  from: 'service' | 'file',
): Promise<number> {
  const take = async ({ entry, version, at }: SealedEntry): Promise<number> => {
    const key = keyOf(entry);
    if (!isNewer({ entry, version, at }, await getLogged(tx, key))) return 0;
    const merged: LoggedEntry = { key, entry, version, at, unapplied: Math.min(at, wallet.now()) };
    await putLogged(tx, from === 'file' ? { ...merged, unsent: 1 } : merged);
    return 1;
  };
  let taken = 0;
  for (const one of entries) {
    const { entry } = one;
    if (entry.kind === 'output') {
      // A deletion of this outpoint by an older wallet version may have been read first.
      const ended = await getLogged(tx, deletionKey(entry.outpoint));
      taken += await take(ended ? afterEnd(one, ended) : one);
      continue;
    }
    taken += await take(one);
    if (entry.kind !== 'outpoint-gone') continue;
    for (const held of await loggedOutputs(wallet, tx, entry.outpoint)) taken += await take(afterEnd(held, one));
  }
  return taken;
}

/** Applies a deletion by an older wallet version to a site's entry, unless the entry is newer. Pure. */
function afterEnd(one: SealedEntry, { version, at }: SealedEntry): SealedEntry {
  const { entry } = one;
  if ((entry.kind !== 'output' && entry.kind !== 'output-gone') || one.version > version) return one;
  return { entry: { kind: 'output-gone', outpoint: entry.outpoint, origin: entry.origin }, version, at };
}
