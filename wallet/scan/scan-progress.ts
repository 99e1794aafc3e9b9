import { readKey, writeKey } from '../store/database.ts';
import { isHistoryUnfinished } from './history/history.ts';
import { type ScanProgress, newProgress } from './history/progress.ts';
import type { Wallet } from '../platform.ts';

export async function readProgress(wallet: Wallet): Promise<ScanProgress> {
  return (await readKey(wallet, 'scan')) ?? newProgress(true);
}

/** Stores changed fields of the progress. Refreshes never run concurrently. */
export async function noteProgress(wallet: Wallet, change: Partial<ScanProgress>): Promise<void> {
  await writeKey(wallet, 'scan', { ...(await readProgress(wallet)), ...change });
}

/** True if there is more to search, in which case the next refresh should come soon. */
export async function isScanUnfinished(wallet: Wallet): Promise<boolean> {
  const { done, left = 0, isGapUnfinished = false, unread } = await readProgress(wallet);
  return !done || left > 0 || isGapUnfinished || unread?.waiting === true || (await isHistoryUnfinished(wallet));
}
