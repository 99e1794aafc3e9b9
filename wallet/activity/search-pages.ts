/**
 * Searchable texts of payments and receipts, up to a thousand records per page, because reading a record takes many
 * times as long as its line. A page only shows which of its records are worth reading, so it can't find anything that
 * the records don't contain. Searches and alarms make pages of entries older than an hour, and small pages are merged.
 * Writing a record marks it in its page (`database.ts`), and the next reader of that page repairs its line.
 */
import { database, pagesAbove } from '../store/database.ts';
import type { SearchMarkKey, SearchPageKey } from '../store/schema.ts';
import { lightPayment } from '../store/light-payment.ts';
import { contactKeys } from './contact.ts';
import { forgetPage, keepPage, keptPage } from './kept-pages.ts';
import { isNewer, readPiece, type Entry, type MoneyEntry, type Position } from './newest-first.ts';
import { rowOf } from './row.ts';
import { textsOf } from './search.ts';
import type { Wallet } from '../platform.ts';

/** Fewer records don't form a page, except between two others, or if more come after them. */
const PAGE_LEAST = 100;
/** Maximum number of records per read outside of pages. */
export const PIECE_MOST = 500;
/**
 * Maximum text of a page (characters), unless it has one record: a thousand ordinary payments. Chromium keeps values
 * above 64 kB in files, and reads 250 kB from one six times as fast as ten values of 25 kB.
 */
const PAGE_TEXT = 250_000;
/** Younger payments may still change (milliseconds). */
const SETTLES_MS = 3600_000;
/** Name of the alarm that continues where the one before stopped. */
export const SEARCH_ALARM = 'search-pages';
/** Maximum number of pieces read at an alarm for each store: a worker has time for this many. */
const PIECES_AT_ALARM = 20;
/** Period of such alarms: the shortest that browsers allow. */
const ALARM_MINUTES = 0.5;
/** Older than everything. */
const BOTTOM: Position = { time: 0, id: '' };

export type PagedStore = MoneyEntry['store'];

interface StoredPages {
  get(key: SearchPageKey): Promise<string | undefined>;
  getKey(range: IDBKeyRange): Promise<SearchPageKey | SearchMarkKey | undefined>;
  getAllKeys(range: IDBKeyRange): Promise<(SearchPageKey | SearchMarkKey)[]>;
}

interface ChangedPages extends StoredPages {
  put(lines: string, key: SearchPageKey): Promise<unknown>;
  delete(key: SearchPageKey | SearchMarkKey): Promise<void>;
}

/** A page: all records from `from` (inclusive) to `end` (exclusive). */
export interface SearchPage {
  from: Position;
  end: Position;
  /** One line for each record, newest first. */
  lines: string;
}

type PagePlace = Pick<SearchPage, 'from' | 'end'>;

/** One line of a page. Search terms have no white space, so it needn't be preserved. */
function lineOf(entry: Entry): string {
  const { direction, status } = rowOf(entry);
  const texts = new Set([...textsOf(entry), ...contactKeys(entry)].map((text) => text.toLowerCase()));
  texts.delete(entry.id);
  return `${direction} ${status}\t${entry.id}\t${[...texts].join(' ').replaceAll(/\s+/g, ' ')}`;
}

/** A line's parts: direction and status, the id, and all searchable text, including the id. */
export function partsOf(line: string): { kind: string; id: string; text: string } {
  const [first, second] = [line.indexOf('\t'), line.lastIndexOf('\t')];
  return { kind: line.slice(0, first), id: line.slice(first + 1, second), text: line.slice(first + 1) };
}

const idsOf = (lines: string) => lines.split('\n').map((line) => partsOf(line).id);

const isSame = (a: Position, b: Position) => a.time === b.time && a.id === b.id;

/** The key of a stored page: from its oldest record up to an exclusive end. */
function keyOf(store: PagedStore, { from, end }: PagePlace): SearchPageKey {
  return [store, end.time, end.id, from.time, from.id];
}

function placesOf([, endTime, endId, fromTime, fromId]: SearchPageKey): PagePlace {
  return { from: { time: fromTime, id: fromId }, end: { time: endTime, id: endId } };
}

/** All names of pages between two. */
async function pagesIn(pages: StoredPages, range: IDBKeyRange): Promise<SearchPageKey[]> {
  return (await pages.getAllKeys(range)) as SearchPageKey[];
}

/** The next page that ends above a position. Pages don't overlap, so no other can contain entries there. */
async function pageAbove(pages: StoredPages, store: PagedStore, place: Position): Promise<SearchPageKey | undefined> {
  return (await pages.getKey(pagesAbove(store, place))) as SearchPageKey | undefined;
}

/** Marks of records from one position to another (exclusive). */
async function marksIn(pages: StoredPages, store: PagedStore, { from, end }: PagePlace): Promise<SearchMarkKey[]> {
  const [oldest, newest] = [from, end].map(({ time, id }): SearchMarkKey => ['changed', store, time, id]);
  return (await pages.getAllKeys(IDBKeyRange.bound(oldest, newest, false, true))) as SearchMarkKey[];
}

/**
 * The next pages of a store with anything older than a position, newest first, as their records are now.
 * @param since none that ends before this time (milliseconds since 1970)
 */
export async function readPages(
  wallet: Wallet,
  store: PagedStore,
  { before, since }: { before: Position | null; since: number },
  most: number,
): Promise<{ pages: SearchPage[]; areAll: boolean }> {
  if (before && before.time < since) return { pages: [], areAll: true };
  const { store: stored } = (await database(wallet)).transaction('searchPages');
  const above = before && (await pageAbove(stored, store, before));
  const isAcross = above && isNewer(before, placesOf(above).from);
  const newest = isAcross ? above : [store, ...(before ? [before.time, before.id] : []), []];
  const keys = await pagesIn(stored, IDBKeyRange.bound([store, since], newest));
  const next = keys.slice(-most).reverse();
  const [first, last] = [next[0], next.at(-1)];
  if (!first || !last) return { pages: [], areAll: true };
  const [marks, texts] = await Promise.all([
    marksIn(stored, store, { from: placesOf(last).from, end: placesOf(first).end }),
    Promise.all(next.map((key) => textOf(wallet, stored, key))),
  ]);
  const pages: SearchPage[] = [];
  for (const [i, key] of next.entries()) {
    const place = placesOf(key);
    const isMarked = marks.some((mark) => isWithin(place, markedAt(mark)));
    // oxlint-disable-next-line no-await-in-loop -- they are written one after the other
    const page = isMarked ? await mendPage(wallet, store, key) : { ...place, lines: texts[i] as string };
    if (page) pages.push(page);
  }
  return { pages, areAll: next.length === keys.length };
}

async function textOf(wallet: Wallet, pages: StoredPages, key: SearchPageKey): Promise<string> {
  const kept = keptPage(wallet, key);
  if (kept !== undefined) return kept;
  const text = (await pages.get(key)) as string;
  keepPage(wallet, key, text);
  return text;
}

const markedAt = ([, , time, id]: SearchMarkKey): Position => ({ time, id });

const isWithin = ({ from, end }: PagePlace, place: Position) => isNewer(end, place) && !isNewer(from, place);

/** Rebuilds the lines of marked records. Null if the page is gone, or removed because its records have moved. */
async function mendPage(wallet: Wallet, store: PagedStore, key: SearchPageKey): Promise<SearchPage | null> {
  const tx = (await database(wallet)).transaction([store, 'lightPayments', 'searchPages'], 'readwrite', {
    durability: 'relaxed',
  });
  const pages: ChangedPages = tx.objectStore('searchPages');
  const place = placesOf(key);
  const [text, marks] = await Promise.all([pages.get(key), marksIn(pages, store, place)]);
  if (text === undefined) return null; // merged with another in between
  const lines = await mendedLines(recordsIn(tx, store), key, text.split('\n'), marks);
  forgetPage(wallet, key);
  await Promise.all([
    lines ? pages.put(lines.join('\n'), key) : pages.delete(key),
    ...marks.map((mark) => pages.delete(mark)),
    tx.done,
  ]);
  return lines && { ...place, lines: lines.join('\n') };
}

/** The lines with updated marked ones, or null if they aren't those of the page's records in their order. */
async function mendedLines(
  records: StoredRecords,
  key: SearchPageKey,
  lines: readonly string[],
  marks: readonly SearchMarkKey[],
): Promise<string[] | null> {
  const ids = lines.map((line) => partsOf(line).id);
  const places = new Map(ids.map((id, i) => [id, i]));
  const read = async (id: string) => entryOf(key[0], id, await records.get(id));
  /** True if the record of that line, if any, is still in the page and on its side. */
  const isBeside = async (i: number, isOrdered: (neighbour: Position) => boolean) => {
    const id = ids[i];
    if (id === undefined) return true;
    const neighbour = await read(id);
    return neighbour !== null && isWithin(placesOf(key), neighbour) && isOrdered(neighbour);
  };
  const mended = [...lines];
  const areMended = await Promise.all(
    marks.map(async (mark) => {
      const i = places.get(mark[3]);
      if (i === undefined) return false;
      const entry = await read(mark[3]);
      if (!entry || !isSame(entry, markedAt(mark))) return true; // it was removed, or has another mark
      mended[i] = lineOf(entry);
      return (
        (await isBeside(i - 1, (newer) => isNewer(newer, entry))) &&
        (await isBeside(i + 1, (older) => isNewer(entry, older)))
      );
    }),
  );
  return areMended.every(Boolean) ? mended : null;
}

interface StoredRecords {
  get(id: string): Promise<MoneyEntry['record'] | undefined>;
}

/** Payments among them are light copies if there are any. */
function recordsIn(
  tx: { objectStore(name: PagedStore | 'lightPayments'): StoredRecords },
  store: PagedStore,
): StoredRecords {
  return { get: (id) => (store === 'payments' ? lightPayment(tx, id) : tx.objectStore(store).get(id)) };
}

function entryOf(store: PagedStore, id: string, record: MoneyEntry['record'] | undefined): MoneyEntry | null {
  return record ? ({ store, record, time: record.createdAt, id } as MoneyEntry) : null;
}

/** A range without a page: from `at`, where it begins, to `last` (inclusive). */
export interface Gap {
  at: Position;
  last: Position;
  isBelowPage: boolean;
  /** The next page ends at `last`. */
  isAbovePage: boolean;
}

export interface GapPart {
  /** Newest first. */
  entries: Entry[];
  lines: string[];
  /** The gap is finished. */
  isWhole: boolean;
  made: boolean;
}

/**
 * Reads up to `most` records of a gap, and makes a page of them, unless they are few, end the gap and aren't between
 * two pages: entries since the last search wait until there are more.
 */
export async function readGap(
  wallet: Wallet,
  store: PagedStore,
  { at, last, isBelowPage, isAbovePage }: Gap,
  most: number,
): Promise<GapPart> {
  const db = await database(wallet);
  if (at.time > wallet.now() - SETTLES_MS) {
    const tx = db.transaction([store, 'lightPayments']);
    return { ...partOf(await readPiece(tx, store, at, last, most), most), made: false };
  }
  const tx = db.transaction([store, 'lightPayments', 'searchPages'], 'readwrite', { durability: 'relaxed' });
  const next = await pageAbove(tx.objectStore('searchPages'), store, at);
  const touches = isBelowPage || (next !== undefined && isSame(placesOf(next).from, at));
  const part = partOf(await readPiece(tx, store, at, last, most), most);
  const { entries, lines, isWhole } = part;
  const [first, oldest] = [entries[0], entries.at(-1)];
  const reachesPage = isWhole && (isAbovePage || isSame(last, BOTTOM));
  let made = false;
  if (first && oldest && (entries.length >= PAGE_LEAST || !isWhole || (touches && reachesPage)))
    made = await putPage(wallet, tx.objectStore('searchPages'), store, {
      from: reachesPage ? last : { time: oldest.time, id: oldest.id },
      end: touches ? at : { time: first.time, id: `${first.id}\0` },
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
 * Stores a page, merged with adjacent ones as far as there is room. False if another search has just made one there.
 */
async function putPage(
  wallet: Wallet,
  pages: ChangedPages,
  store: PagedStore,
  { from, end, lines }: SearchPage,
): Promise<boolean> {
  const next = await pageAbove(pages, store, from);
  const above = next && placesOf(next);
  if (above && isNewer(end, above.from)) return false;
  /** The lines of an adjacent page, which is merged and removed. */
  const take = async (key: SearchPageKey): Promise<string[]> => {
    const others = await pages.get(key);
    if (others === undefined || others.length + lines.length >= PAGE_TEXT) return [];
    // A record that has moved from one to the other still has its line in both. Merged, one would be at a wrong
    // position.
    const ids = new Set(idsOf(lines));
    if (idsOf(others).some((id) => ids.has(id))) return [];
    forgetPage(wallet, key);
    await pages.delete(key);
    return [others];
  };
  if (next && above && isSame(end, above.from)) {
    const newer = await take(next);
    if (newer.length > 0) [lines, end] = [[...newer, lines].join('\n'), above.end];
  }
  const [below] = await pagesIn(pages, IDBKeyRange.bound([store, from.time, from.id], [store, from.time, from.id, []]));
  if (below) {
    const older = await take(below);
    if (older.length > 0) [lines, from] = [[lines, ...older].join('\n'), placesOf(below).from];
  }
  forgetPage(wallet, keyOf(store, { from, end }));
  await pages.put(lines, keyOf(store, { from, end }));
  return true;
}

/** The remaining records of a page, newest first. */
export async function readRecords(
  wallet: Wallet,
  store: PagedStore,
  page: SearchPage,
  ids: readonly string[],
): Promise<Entry[]> {
  const records = recordsIn((await database(wallet)).transaction([store, 'lightPayments']), store);
  const read = await Promise.all(ids.map((id) => records.get(id)));
  return read
    .map((record, i) => entryOf(store, ids[i] as string, record))
    .filter((entry) => entry !== null && isWithin(page, entry)) as Entry[];
}

/** Builds some missing pages and repairs the others, so searches needn't. An alarm continues if any are left. */
export async function makeSearchPages(wallet: Wallet): Promise<void> {
  const areMade = await Promise.all((['payments', 'receipts'] as const).map((store) => makePagesOf(wallet, store)));
  if (!areMade.every(Boolean)) await wallet.alarms.create(SEARCH_ALARM, { delayInMinutes: ALARM_MINUTES });
}

/** @returns whether nothing is left to do */
async function makePagesOf(wallet: Wallet, store: PagedStore): Promise<boolean> {
  const { store: stored } = (await database(wallet)).transaction('searchPages');
  let at: Position = { time: wallet.now() - SETTLES_MS, id: '' };
  const [keys, marks] = await Promise.all([
    pagesIn(stored, IDBKeyRange.bound([store], [store, []])),
    marksIn(stored, store, { from: BOTTOM, end: at }),
  ]);
  let isBelowPage = false;
  let pieces = 0;
  let isAll = true;
  for (const key of [...keys.reverse(), null]) {
    const page = key && placesOf(key);
    const last = page?.end ?? BOTTOM;
    while (isNewer(at, last)) {
      if (pieces >= PIECES_AT_ALARM) return false;
      const read = await readGap(wallet, store, { at, last, isBelowPage, isAbovePage: page !== null }, PIECE_MOST);
      if (read.entries.length > 0) pieces += 1;
      if (read.isWhole) break;
      at = read.entries.at(-1) as Position;
      isBelowPage = read.made;
    }
    if (!page) break;
    if (marks.some((mark) => isWithin(page, markedAt(mark)))) {
      if ((pieces += 1) > PIECES_AT_ALARM) return false;
      if (!(await mendPage(wallet, store, key))) isAll = false; // its range is now a gap
    }
    if (isNewer(at, page.from)) at = page.from;
    isBelowPage = true;
  }
  return isAll;
}
