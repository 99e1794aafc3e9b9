/**
 * What can be looked for in payments and receipts, up to a thousand records to a page: reading a record takes many times as
 * long as its line. A page only says which of its records are worth reading, so nothing is found by it that the records do not
 * say. Pages are made of what is older than an hour, by searches and by the alarm, and small ones grow together; writing a record removes the page that it lies in (`database.ts`).
 */
import { database, pagesAbove, type SearchPageKey } from '../database.ts';
import { contactKeys } from './contact.ts';
import { isNewer, readPiece, type CreationIndex, type Entry, type MoneyEntry, type Position } from './newest-first.ts';
import { rowOf } from './row.ts';
import { textsOf } from './search.ts';

/** Fewer records make no page, but between two others. */
export const PAGE_LEAST = 100;
/** Most records that are read at once where no page is. */
export const PIECE_MOST = 500;
/**
 * Most text of a page (characters), unless it is of one record: a thousand ordinary payments. Chromium keeps what is larger
 * than 64 kB in files, and reads 250 kB from one six times as fast as ten values of 25 kB.
 */
const PAGE_TEXT = 250_000;
/** Before that a payment still changes (milliseconds). */
const SETTLES_MS = 3600_000;
/** How many pieces are read at an alarm, at most, for each store. */
const PIECES_AT_ALARM = 20;
/** Older than everything. */
const BOTTOM: Position = { time: 0, id: '' };

/** The stores that have pages. */
export type PagedStore = MoneyEntry['store'];

/** The store of pages, in a transaction that may change it. */
interface StoredPages {
  get(key: SearchPageKey): Promise<string | undefined>;
  getKey(range: IDBKeyRange): Promise<SearchPageKey | undefined>;
  put(lines: string, key: SearchPageKey): Promise<unknown>;
  delete(key: SearchPageKey): Promise<void>;
}

/** A page: all records from `from`, which may be in it, up to `end`, which is not. */
export interface SearchPage {
  from: Position;
  end: Position;
  /** One line for each record, newest first. */
  lines: string;
}

/** Where a page lies. */
type PagePlace = Pick<SearchPage, 'from' | 'end'>;

/** One line of a page. Nothing that is looked for has white space in it, so none needs to stay what it was. */
function lineOf(entry: Entry): string {
  const { direction, status } = rowOf(entry);
  const texts = new Set([...textsOf(entry), ...contactKeys(entry)].map((text) => text.toLowerCase()));
  texts.delete(entry.id); // is there already
  return `${direction} ${status}\t${entry.id}\t${[...texts].join(' ').replaceAll(/\s+/g, ' ')}`;
}

/** A line's parts: direction and status, the id, and everything that can be looked for, the id included. */
export function partsOf(line: string): { kind: string; id: string; text: string } {
  const [first, second] = [line.indexOf('\t'), line.lastIndexOf('\t')];
  return { kind: line.slice(0, first), id: line.slice(first + 1, second), text: line.slice(first + 1) };
}

const isSame = (a: Position, b: Position) => a.time === b.time && a.id === b.id;

/** The names under which a page is stored: it covers from its oldest record up to a place that is not in it. */
function keyOf(store: PagedStore, { from, end }: PagePlace): SearchPageKey {
  return [store, end.time, end.id, from.time, from.id];
}

function placesOf([, endTime, endId, fromTime, fromId]: SearchPageKey): PagePlace {
  return { from: { time: fromTime, id: fromId }, end: { time: endTime, id: endId } };
}

/** Where the pages of a store lie, newest first. */
async function listPages(store: PagedStore): Promise<PagePlace[]> {
  const keys = await (await database()).getAllKeys('searchPages', IDBKeyRange.bound([store], [store, []]));
  return keys.reverse().map(placesOf);
}

/**
 * The next pages of a store that have anything older than a place, newest first.
 * @param since none that ends before this time (milliseconds since 1970)
 */
export async function readPages(
  store: PagedStore,
  { before, since }: { before: Position | null; since: number },
  most: number,
): Promise<SearchPage[]> {
  if (before && before.time < since) return [];
  const { store: stored } = (await database()).transaction('searchPages');
  // Pages do not overlap, so one at most ends above a place and has anything below it.
  const above = before && (await stored.getKey(pagesAbove(store, before)));
  const isAcross = above && isNewer(before, placesOf(above).from);
  const newest = isAcross ? above : [store, ...(before ? [before.time, before.id] : []), []];
  const pages: SearchPage[] = [];
  let cursor = await stored.openCursor(IDBKeyRange.bound([store, since], newest), 'prev');
  while (cursor) {
    pages.push({ ...placesOf(cursor.key), lines: cursor.value });
    cursor = pages.length < most ? await cursor.continue() : null;
  }
  return pages;
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

/** What was read of a gap. */
export interface GapPart {
  /** Newest first. */
  entries: Entry[];
  /** Their lines. */
  lines: string[];
  /** Nothing of the gap is left. */
  isWhole: boolean;
  /** It is a page now. */
  made: boolean;
}

/**
 * Reads up to `most` records of a gap, and makes a page of them, unless they are few and lie not between two others: what
 * came since the last search waits until there is more.
 */
export async function readGap(
  store: PagedStore,
  { at, last, isBelowPage, isAbovePage }: Gap,
  most: number,
): Promise<GapPart> {
  const db = await database();
  if (at === null || at.time > Date.now() - SETTLES_MS) {
    const index = db.transaction(store).store.index('createdAt') as CreationIndex;
    return { ...partOf(await readPiece(store, index, at, last, most), most), made: false };
  }
  const tx = db.transaction([store, 'searchPages'], 'readwrite', { durability: 'relaxed' });
  const index = tx.objectStore(store).index('createdAt') as CreationIndex;
  const part = partOf(await readPiece(store, index, at, last, most), most);
  const { entries, lines, isWhole } = part;
  const [first, oldest] = [entries[0], entries.at(-1)];
  const reachesPage = isWhole && (isAbovePage || isSame(last, BOTTOM));
  let made = false;
  if (first && oldest && (entries.length >= PAGE_LEAST || !isWhole || (isBelowPage && reachesPage)))
    made = await putPage(tx.objectStore('searchPages'), store, {
      from: reachesPage ? last : { time: oldest.time, id: oldest.id },
      end: isBelowPage ? at : { time: first.time, id: `${first.id}\0` },
      lines: lines.join('\n'),
    });
  await tx.done;
  return { ...part, made };
}

/** Records with their lines, as many as a page has room for. */
function partOf(read: readonly Entry[], most: number): Omit<GapPart, 'made'> {
  const lines: string[] = [];
  let room = PAGE_TEXT;
  for (const entry of read) {
    const line = lineOf(entry);
    room -= line.length + 1;
    if (room < 0 && lines.length > 0) break;
    lines.push(line);
  }
  return { entries: read.slice(0, lines.length), lines, isWhole: read.length < most && lines.length === read.length };
}

/**
 * Stores a page, joined with those that it touches as far as there is room. False where another search has made one there
 * meanwhile: pages never overlap.
 */
async function putPage(pages: StoredPages, store: PagedStore, { from, end, lines }: SearchPage): Promise<boolean> {
  const next = await pages.getKey(pagesAbove(store, from));
  const above = next && placesOf(next);
  if (above && isNewer(end, above.from)) return false;
  /** The lines of a neighbour that is joined, and is no page of its own any more. */
  const take = async (key: SearchPageKey): Promise<string[]> => {
    const others = await pages.get(key);
    if (others === undefined || others.length + lines.length >= PAGE_TEXT) return [];
    await pages.delete(key);
    return [others];
  };
  if (above && isSame(end, above.from)) {
    const newer = await take(next);
    if (newer.length > 0) [lines, end] = [[...newer, lines].join('\n'), above.end];
  }
  const below = await pages.getKey(IDBKeyRange.bound([store, from.time, from.id], [store, from.time, from.id, []]));
  if (below) {
    const older = await take(below);
    if (older.length > 0) [lines, from] = [[lines, ...older].join('\n'), placesOf(below).from];
  }
  await pages.put(lines, keyOf(store, { from, end }));
  return true;
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
    let at: Position = { time: Date.now() - SETTLES_MS, id: '' };
    let isBelowPage = false;
    let pieces = 0;
    for (const page of [...(await listPages(store)), null]) {
      const last = page?.end ?? BOTTOM;
      while (pieces < PIECES_AT_ALARM && isNewer(at, last)) {
        const read = await readGap(store, { at, last, isBelowPage, isAbovePage: page !== null }, PIECE_MOST);
        pieces += 1;
        if (read.isWhole) break;
        at = read.entries.at(-1) as Position;
        isBelowPage = read.made;
      }
      if (pieces === PIECES_AT_ALARM || !page) break;
      if (isNewer(at, page.from)) at = page.from;
      isBelowPage = true;
    }
  }
}
