/** Reads a store for a search. Where search pages exist, it reads only possible matches; otherwise, all records. */
import { wholeLine, type Entry, type Line, type Range } from './newest-first.ts';
import { MAX_RECORDS_PER_READ, readGap, readPages, readRecords, type Gap } from './search-pages.ts';
import { partsOf, type PagedStore, type SearchPage } from './search-page.ts';
import type { PageQuery } from './page-query.ts';
import { isNewer, type Position } from '../store/by-time.ts';
import type { Wallet } from '../platform.ts';

/** Number of pages in the first read, which may be enough, and in the largest read. */
const [FIRST_PAGES, MAX_PAGES_PER_READ] = [1, 32];
/** Cost of reading a page, as a number of records. */
const PAGE_COST = 10;
/**
 * Number of records in the first read. That read uses no search pages, because these records may fill the first page of
 * results. Also limits the number of possible matches per read.
 */
const FIRST_RECORDS = 25;

/** Returns a reader for records that may match. The consumer must check each record. */
export function searchLine(wallet: Wallet, store: PagedStore, { before, since }: Range, query: PageQuery): Line {
  let pages: SearchPage[] = [];
  let areAllRead = false;
  let [pagesNext, recordsNext] = [FIRST_PAGES, 2 * FIRST_RECORDS];
  /** Possible matches in the current page that haven't been read yet. */
  let promising: { page: SearchPage; ids: string[] } | null = null;
  let isBelowPage = false;
  const first = wholeLine(wallet, store, { before, since }, FIRST_RECORDS);
  // Only a search from the newest record starts with `first`. Further down, skipping the pages for these records would
  // leave a permanent gap between two pages.
  let isBegun = before !== null;
  const line: Line = { waiting: [], at: before, ended: first.ended, advance };

  async function advance(): Promise<number> {
    if (!isBegun) {
      isBegun = true;
      await first.advance();
      [line.waiting, line.at, line.ended] = [first.waiting, first.at, first.ended];
      return 0;
    }
    if (promising) return takeRecords(promising.page, promising.ids);
    // Repeats if all pages in a read had to be deleted. Their records become a gap.
    while (pages.length === 0 && !areAllRead) {
      ({ pages, areAll: areAllRead } = await readPages(wallet, store, { before: line.at, since }, pagesNext));
      pagesNext = Math.min(4 * pagesNext, MAX_PAGES_PER_READ);
    }
    const last = pages[0]?.end ?? { time: since, id: '' };
    if (line.at && isNewer(line.at, last))
      return takeGap({ at: line.at, last, isBelowPage, isAbovePage: pages.length > 0 });
    const page = pages.shift();
    if (page) return takePage(page);
    line.ended = true;
    return 0;
  }

  async function takeGap(gap: Gap): Promise<number> {
    const { entries, lines, isWhole, made } = await readGap(wallet, store, gap, recordsNext);
    recordsNext = Math.min(2 * recordsNext, MAX_RECORDS_PER_READ);
    line.waiting = entries.filter((_, i) => isWorthReading(lines[i] as string));
    line.at = isWhole ? gap.last : (entries.at(-1) as Position);
    line.ended = isWhole && !gap.isAbovePage;
    isBelowPage = made;
    return entries.length - line.waiting.length;
  }

  async function takePage(page: SearchPage): Promise<number> {
    const lines = query.page(page.lines) ? page.lines.split('\n').filter(isWorthReading) : [];
    isBelowPage = true;
    if (lines.length > 0)
      return (
        PAGE_COST +
        (await takeRecords(
          page,
          lines.map((one) => partsOf(one).id),
        ))
      );
    passPage(page);
    return PAGE_COST;
  }

  /** Continues after a page, which may extend beyond the requested range. */
  function passPage({ from }: SearchPage): void {
    line.at = from;
    line.ended = !isNewer(from, { time: since, id: '' });
  }

  function isWorthReading(line: string): boolean {
    const { kind, text } = partsOf(line);
    return query.line(kind, text);
  }

  async function takeRecords(page: SearchPage, ids: readonly string[]): Promise<number> {
    const some = ids.slice(0, FIRST_RECORDS);
    const rest = ids.slice(some.length);
    const isNext = (entry: Entry) => entry.time >= since && (line.at === null || isNewer(line.at, entry));
    line.waiting = (await readRecords(wallet, store, page, some)).filter(isNext);
    promising = rest.length > 0 ? { page, ids: rest } : null;
    if (promising) line.at = line.waiting.at(-1) ?? line.at;
    else passPage(page);
    return 0;
  }

  return line;
}
