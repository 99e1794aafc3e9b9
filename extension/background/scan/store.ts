/** Progress of the search for coins: what a refresh leaves to the next one. */
import { readKey, writeKey } from '../database.ts';
import { isHistoryUnfinished } from './history.ts';
import { type ScanProgress, newProgress } from './progress.ts';

/** What is stored. */
export async function readProgress(): Promise<ScanProgress> {
  return (await readKey('scan')) ?? newProgress(true);
}

/** Stores what has changed of it. Refreshes run one after the other. */
export async function noteProgress(change: Partial<ScanProgress>): Promise<void> {
  await writeKey('scan', { ...(await readProgress()), ...change });
}

/** Is there something left to look at, without anything new? Then the next refresh should come soon. */
export async function isScanUnfinished(): Promise<boolean> {
  const { done, left = 0, unread } = await readProgress();
  return !done || left > 0 || unread?.waiting === true || (await isHistoryUnfinished());
}
