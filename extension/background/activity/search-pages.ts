/**
 * What can be looked for, a hundred records to a page: reading 100,000 records takes eleven seconds, their pages half
 * of one. A page only says which of its records are worth reading, so nothing is found by it that the records do not
 * say. Pages are made of what is older than an hour, by searches and by the alarm; writing a record removes the page that it lies in (`database.ts`).
 */
import { database, pagesAbove, type SearchPageKey } from '../database.ts';
import { contactKeys } from './contact.ts';
import { isNewer, readPiece, type CreationIndex, type Entry, type MoneyEntry, type Position } from './newest-first.ts';
import { rowOf } from './row.ts';
import { textsOf } from './search.ts';

/** Records of one page. Of ordinary payments it takes 25 kB. Chromium keeps what is larger than 64 kB in files. */
export const PAGE_RECORDS = 100;
/** Before that a payment still changes (milliseconds). */
const SETTLES_MS = 3600_000;
/** How many pages are made at an alarm, at most, for each store. */
const PAGES_AT_ALARM = 20;

/** The stores that have pages. */
export type PagedStore = MoneyEntry['store'];

/** A page: all records from `from`, its oldest, up to `end`, which is not in it. */
export interface SearchPage {
  from: Position;
  end: Position;
  /** One line for each record, newest first. */
  lines: string;
}

/** Where a page lies. */
export type PagePlace = Pick<SearchPage, 'from' | 'end'>;

/** One line of a page. Nothing that is looked for has white space in it, so none needs to stay what it was. */
function lineOf(entry: Entry): string {
  const { direction, status } = rowOf(entry);
  const texts = new Set([...textsOf(entry), ...contactKeys(entry)].map((text) => text.toLowerCase()));
  return `${entry.id}\t${direction} ${status}\t${[...texts].join(' ').replaceAll(/\s+/g, ' ')}`;
}

/** A line's parts. */
export function partsOf(line: string): { id: string; kind: string; text: string } {
  const [id = '', kind = '', text = ''] = line.split('\t');
  return { id, kind, text };
}

/** The names under which a page is stored: it covers from its oldest record up to a place that is not in it. */
function keyOf(store: PagedStore, { from, end }: PagePlace): SearchPageKey {
  return [store, end.time, end.id, from.time, from.id];
}

function placesOf([, endTime, endId, fromTime, fromId]: SearchPageKey): PagePlace {
  return { from: { time: fromTime, id: fromId }, end: { time: endTime, id: endId } };
}

/** Where the pages of a store lie that have anything older than a place, newest first. */
export async function listPages(store: PagedStore, before: Position | null): Promise<PagePlace[]> {
  const keys = await (await database()).getAllKeys('searchPages', await downFrom(store, before));
  return keys.reverse().map(placesOf);
}

/** The first of them: of many pages the others need not be read where these have what is looked for. */
export async function listFirstPages(store: PagedStore, before: Position | null, most: number): Promise<PagePlace[]> {
  const range = await downFrom(store, before);
  const places: PagePlace[] = [];
  let cursor = await (await database()).transaction('searchPages').store.openKeyCursor(range, 'prev');
  while (cursor) {
    places.push(placesOf(cursor.key));
    cursor = places.length < most ? await cursor.continue() : null;
  }
  return places;
}

/** The keys of these pages: pages do not overlap, so one at most ends above a place and has anything below it. */
async function downFrom(store: PagedStore, before: Position | null): Promise<IDBKeyRange> {
  const next = before && (await (await database()).getKey('searchPages', pagesAbove(store, before)));
  if (next && isNewer(before, placesOf(next).from)) return IDBKeyRange.bound([store], next);
  return IDBKeyRange.bound([store], before ? [store, before.time, before.id, []] : [store, []]);
}

/** The pages from one to another, newest first, as far as they are still there. */
export async function readPages(store: PagedStore, newest: PagePlace, oldest: PagePlace): Promise<SearchPage[]> {
  const pages = (await database()).transaction('searchPages').store;
  const range = IDBKeyRange.bound(keyOf(store, oldest), keyOf(store, newest));
  const [keys, texts] = await Promise.all([pages.getAllKeys(range), pages.getAll(range)]);
  return keys.map((key, i) => ({ ...placesOf(key), lines: texts[i] ?? '' })).reverse();
}

/** What no page has: from `at`, where it begins, to `last`, which is included. */
export interface Gap {
  at: Position | null;
  last: Position;
  /** A page begins at `at`. */
  isBelowPage: boolean;
  /** The next page ends at `last`. */
  isAbovePage: boolean;
}

/**
 * Reads as much of a gap as a page holds, and makes a page of it: where it is a full one, or lies between two others. Few
 * that came since the last search wait until there are more.
 */
export async function readGap(
  store: PagedStore,
  { at, last, isBelowPage, isAbovePage }: Gap,
): Promise<{ entries: Entry[]; made: boolean }> {
  const db = await database();
  if (at === null || at.time > Date.now() - SETTLES_MS) {
    const index = db.transaction(store).store.index('createdAt') as CreationIndex;
    return { entries: await readPiece(store, index, at, last, PAGE_RECORDS), made: false };
  }
  const tx = db.transaction([store, 'searchPages'], 'readwrite', { durability: 'relaxed' });
  const index = tx.objectStore(store).index('createdAt') as CreationIndex;
  const entries = await readPiece(store, index, at, last, PAGE_RECORDS);
  const [first, from] = [entries[0], entries.at(-1)];
  let made = false;
  if (first && from && (entries.length === PAGE_RECORDS || (isBelowPage && isAbovePage))) {
    const end = isBelowPage ? at : { time: first.time, id: `${first.id}\0` };
    const pages = tx.objectStore('searchPages');
    // Another search may have made it meanwhile: pages never overlap.
    const next = await pages.getKey(pagesAbove(store, from));
    made = next === undefined || !isNewer(end, placesOf(next).from);
    if (made) await pages.put(entries.map(lineOf).join('\n'), keyOf(store, { from, end }));
  }
  await tx.done;
  return { entries, made };
}

/** The records of a page, those that are still in it, newest first. */
export async function readRecords(store: PagedStore, page: SearchPage, ids: readonly string[]): Promise<Entry[]> {
  const records = (await database()).transaction(store).store;
  const read = await Promise.all(ids.map((id) => records.get(id)));
  return read.flatMap((record, i) => {
    if (!record) return [];
    const entry = { store, record, time: record.createdAt, id: ids[i] } as Entry;
    return isNewer(page.end, entry) && !isNewer(page.from, entry) ? entry : [];
  });
}

/** Makes some of the pages that are missing, so that a search need not. */
export async function makeSearchPages(): Promise<void> {
  for (const store of ['payments', 'receipts'] as const) {
    let at: Position | null = { time: Date.now() - SETTLES_MS, id: '' };
    let isBelowPage = false;
    let made = 0;
    const pages = await listPages(store, null);
    for (const page of [...pages, null]) {
      const last = page?.end ?? { time: 0, id: '' };
      while (made < PAGES_AT_ALARM && isNewer(at, last)) {
        const read = await readGap(store, { at, last, isBelowPage, isAbovePage: page !== null });
        made += 1;
        if (read.entries.length < PAGE_RECORDS) break;
        at = read.entries.at(-1) as Position;
        isBelowPage = read.made;
      }
      if (made === PAGES_AT_ALARM || !page) break;
      if (isNewer(at, page.from)) at = page.from;
      isBelowPage = true;
    }
  }
}
