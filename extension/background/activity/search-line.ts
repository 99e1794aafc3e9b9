/** A store as a search reads it: its pages say which records are worth reading, and only what no page has is read whole. */
import type { Entry, Line, Position, Range } from './newest-first.ts';
import { isNewer } from './newest-first.ts';
import {
  listFirstPages,
  listPages,
  PAGE_RECORDS,
  partsOf,
  readGap,
  readPages,
  readRecords,
  type PagedStore,
  type PagePlace,
  type SearchPage,
} from './search-pages.ts';
import type { PageQuery } from './page-query.ts';

/** Pages that are read at once: at first few, since they may have enough, and then more and more. */
const [PAGES_AT_FIRST, PAGES_AT_ONCE] = [2, 64];
/** So many of the first are found one by one. */
const FIRST_PAGES = 8;
/** What reading a page costs, in records looked at. */
const PAGE_COST = 5;
/** Records that are read at once of those that a page says are worth it. */
const RECORDS_AT_ONCE = 25;

/** The records that may fit; whoever takes them has to look whether they do. */
export function searchLine(store: PagedStore, { before, since }: Range, query: PageQuery): Line {
  /** Where pages lie that were not read yet, newest first. */
  let places: PagePlace[] | null = null;
  let areAllListed = false;
  let atOnce = PAGES_AT_FIRST;
  /** Pages that were read and not looked through yet. */
  let pages: SearchPage[] = [];
  /** Of the page that is looked through, what is worth reading and was not read yet. */
  let promising: { page: SearchPage; ids: string[] } | null = null;
  let isBelowPage = false;
  const line: Line = { waiting: [], at: before, ended: before !== null && before.time < since, advance };

  async function advance(): Promise<number> {
    if (promising) return takeRecords(promising.page, promising.ids);
    if (!places) {
      places = await listFirstPages(store, before, FIRST_PAGES);
      areAllListed = places.length < FIRST_PAGES;
    } else if (places.length === 0 && pages.length === 0 && !areAllListed) {
      places = await listPages(store, line.at);
      areAllListed = true;
    }
    const next = pages[0] ?? places[0];
    const last = next?.end ?? { time: since, id: '' };
    if (!isAt(next?.end) && (line.at === null || isNewer(line.at, last))) return takeGap(last, next !== undefined);
    if (!next) return end();
    if (next.from.time < since && next.end.time < since) return end();
    const page = pages.shift();
    if (page) return takePage(page);
    const some = places.slice(0, atOnce);
    atOnce = Math.min(2 * atOnce, PAGES_AT_ONCE);
    pages = await readPages(store, some[0] as SearchPage, some.at(-1) as SearchPage);
    places = places.slice(some.length);
    return 0;
  }

  const isAt = (place: Position | undefined) =>
    place !== undefined && place.time === line.at?.time && place.id === line.at.id;

  function end(): number {
    line.ended = true;
    return 0;
  }

  async function takeGap(last: Position, isAbovePage: boolean): Promise<number> {
    const isCut = last.time < since;
    const { entries, made } = await readGap(store, {
      at: line.at,
      last: isCut ? { time: since, id: '' } : last,
      isBelowPage,
      isAbovePage: isAbovePage && !isCut,
    });
    const isWhole = entries.length < PAGE_RECORDS;
    line.waiting = entries;
    line.at = isWhole ? last : (entries.at(-1) as Position);
    line.ended = isWhole && (isCut || !isAbovePage);
    isBelowPage = made;
    return 0;
  }

  async function takePage(page: SearchPage): Promise<number> {
    const ids = query.text(page.lines)
      ? page.lines.split('\n').flatMap((one) => {
          const { id, kind, text } = partsOf(one);
          return query.kind(kind) && query.text(text) ? id : [];
        })
      : [];
    isBelowPage = true;
    if (ids.length > 0) return PAGE_COST + (await takeRecords(page, ids));
    line.at = page.from;
    return PAGE_COST;
  }

  async function takeRecords(page: SearchPage, ids: readonly string[]): Promise<number> {
    const some = ids.slice(0, RECORDS_AT_ONCE);
    const rest = ids.slice(some.length);
    const isWanted = (entry: Entry) => entry.time >= since && (before === null || isNewer(before, entry));
    line.waiting = (await readRecords(store, page, some)).filter(isWanted);
    promising = rest.length > 0 ? { page, ids: rest } : null;
    line.at = promising ? (line.waiting.at(-1) ?? line.at) : page.from;
    return 0;
  }

  return line;
}
