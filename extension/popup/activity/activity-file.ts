/** Exports the activity, or the results of a search, to a file. */
import { PRODUCT_NAME } from '../../../protocol/text/product.ts';
import type { ActivityFilter } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { CSV_START, csvLines } from './csv.ts';

/** Progress of the export: number of rows, and the time of the oldest row (milliseconds since 1970). */
export interface ExportProgress {
  rows: number;
  back: number | null;
}

/**
 * Reads all rows page by page, except payments made after the start.
 * @param onProgress called after each page; returns false to stop
 * @returns the file, or null if stopped
 * @throws ServiceError
 */
export async function activityFile(
  filter: ActivityFilter,
  onProgress: (progress: ExportProgress) => boolean,
): Promise<{ blob: Blob; rows: number } | null> {
  const parts = [CSV_START];
  let rows = 0;
  for (let before: string | null | undefined; before !== null;) {
    const page = await call('activity/export', { ...filter, ...(before !== undefined && { before }) });
    parts.push(csvLines(page.items));
    rows += page.items.length;
    before = page.before;
    if (!onProgress({ rows, back: page.searchedTo ?? page.items.at(-1)?.time ?? null })) return null;
  }
  return { blob: new Blob(parts, { type: 'text/csv;charset=utf-8' }), rows };
}

/** Returns a name like `service-button-activity-2026-11-21.csv`, with the date in the user's time zone. */
export function fileName(now: Date = new Date()): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${PRODUCT_NAME.toLowerCase().replaceAll(/\s+/g, '-')}-activity-${day}.csv`;
}
