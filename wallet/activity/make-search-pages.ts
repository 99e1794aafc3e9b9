/** Builds pages of searchable text before a search needs them. */
import { database } from '../store/database.ts';
import type { Wallet } from '../platform.ts';
import { BOTTOM, type PagedStore, placesOf, pagesIn, marksIn, markedAt, isWithin } from './search-page.ts';
import { isNewer, type Position } from '../store/by-time.ts';
import { MAX_RECORDS_PER_READ, SETTLES_MS, repairPage, readGap } from './search-pages.ts';

/** Name of the alarm that continues building pages. */
export const SEARCH_ALARM = 'search-pages';
/** Maximum number of reads per store each time the alarm fires. They must finish within the worker's lifetime. */
const PIECES_AT_ALARM = 20;
/** Delay of the alarm (minutes): the minimum that browsers allow. */
const ALARM_MINUTES = 0.5;
/** Builds missing search pages and repairs outdated ones, up to a limit. An alarm continues any remaining work. */
export async function makeSearchPages(wallet: Wallet): Promise<void> {
  const areMade = await Promise.all((['payments', 'receipts'] as const).map((store) => makePagesOf(wallet, store)));
  if (!areMade.every(Boolean)) await wallet.alarms.create(SEARCH_ALARM, { delayInMinutes: ALARM_MINUTES });
}

/** Builds and repairs the pages for one store. @returns false if work remains */
async function makePagesOf(wallet: Wallet, store: PagedStore): Promise<boolean> {
  const { store: stored } = (await database(wallet)).transaction('searchPages');
  let at: Position = { time: wallet.now() - SETTLES_MS, id: '' };
  const [keys, marks] = await Promise.all([
    pagesIn(stored, wallet.keyRange.bound([store], [store, []])),
    marksIn(wallet, stored, store, { from: BOTTOM, end: at }),
  ]);
  let isBelowPage = false;
  let pieces = 0;
  let isAll = true;
  for (const key of [...keys.reverse(), null]) {
    const page = key && placesOf(key);
    const last = page?.end ?? BOTTOM;
    while (isNewer(at, last)) {
      if (pieces >= PIECES_AT_ALARM) return false;
      const read = await readGap(
        wallet,
        store,
        { at, last, isBelowPage, isAbovePage: page !== null },
        MAX_RECORDS_PER_READ,
      );
      if (read.entries.length > 0) pieces += 1;
      if (read.isWhole) break;
      at = read.entries.at(-1) as Position;
      isBelowPage = read.made;
    }
    if (!page) break;
    if (marks.some((mark) => isWithin(page, markedAt(mark)))) {
      if ((pieces += 1) > PIECES_AT_ALARM) return false;
      if (!(await repairPage(wallet, store, key))) isAll = false; // its range is now a gap
    }
    if (isNewer(at, page.from)) at = page.from;
    isBelowPage = true;
  }
  return isAll;
}
