/** Progress of the search for coins, which a refresh leaves to the next one. */
import { readKey, writeKey } from '../database.ts';
import { isHistoryUnfinished } from './history.ts';
import { type ScanProgress, newProgress } from './progress.ts';

export async function readProgress(): Promise<ScanProgress> {
  return (await readKey('scan')) ?? newProgress(true);
}

/** Stores changed parts of it. Refreshes run one after the other. */
export async function noteProgress(change: Partial<ScanProgress>): Promise<void> {
  await writeKey('scan', { ...(await readProgress()), ...change });
}

/** True if something remains to be searched without anything new, so the next refresh should come soon. */
export async function isScanUnfinished(): Promise<boolean> {
  const { done, left = 0, unread } = await readProgress();
  return !done || left > 0 || unread?.waiting === true || (await isHistoryUnfinished());
}
