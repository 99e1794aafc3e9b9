/**
 * Builds, repairs and reads pages of searchable text, with a line per payment or receipt. Reading a line is many times
 * faster than reading its record. Pages only suggest possible matches, each of which is checked against its record.
 * Searches and alarms build pages of entries older than an hour, and merge small pages. Writing a record marks its line
 * as outdated (wallet/store/write-transaction.ts), and the next reader of the page repairs that line.
 */
import { database } from '../store/database.ts';
import {
  isNewer,
  pagesTransaction,
  readPiece,
  timedRecord,
  timedTransaction,
  type Position,
} from '../store/by-time.ts';
import type { SearchMarkKey, SearchPageKey } from '../store/schema.ts';
import { forgetPage, cachePage, cachedPage } from './kept-pages.ts';
import type { Entry, MoneyEntry } from './newest-first.ts';
import type { Wallet } from '../platform.ts';
import {
  BOTTOM,
  type PagedStore,
  type StoredPages,
  type ChangedPages,
  type SearchPage,
  lineOf,
  partsOf,
  idsOf,
  isSame,
  keyOf,
  placesOf,
  pagesIn,
  pageAbove,
  marksIn,
  markedAt,
  isWithin,
} from './search-page.ts';

/**
 * Minimum number of records per page. A smaller page is built only if it fills the gap between two pages, or if more
 * records follow.
 */
const MIN_PAGE_RECORDS = 100;
/** Maximum number of records per read outside of pages. */
export const MAX_RECORDS_PER_READ = 500;
/**
 * Maximum text length of a page with several records (characters). Chromium stores values above 64 kB in files, and
 * reads one 250 kB file six times as fast as ten 25 kB values.
 */
const PAGE_TEXT = 250_000;
/** Minimum age of records in pages (milliseconds). Older payments rarely change. */
export const SETTLES_MS = 3600_000;
/**
 * Returns the next pages of a store below a position, newest first. Repairs marked pages.
 * @param since excludes pages that end before this time (milliseconds since 1970)
 */
export async function readPages(
  wallet: Wallet,
  store: PagedStore,
  { before, since }: { before: Position | null; since: number },
  most: number,
): Promise<{ pages: SearchPage[]; areAll: boolean }> {
  if (before && before.time < since) return { pages: [], areAll: true };
  const { store: stored } = (await database(wallet)).transaction('searchPages');
  const above = before && (await pageAbove(wallet, stored, store, before));
  const isAcross = above && isNewer(before, placesOf(above).from);
  const newest = isAcross ? above : [store, ...(before ? [before.time, before.id] : []), []];
  const keys = await pagesIn(stored, wallet.keyRange.bound([store, since], newest));
  const next = keys.slice(-most).reverse();
  const [first, last] = [next[0], next.at(-1)];
  if (!first || !last) return { pages: [], areAll: true };
  const [marks, texts] = await Promise.all([
    marksIn(wallet, stored, store, { from: placesOf(last).from, end: placesOf(first).end }),
    Promise.all(next.map((key) => textOf(wallet, stored, key))),
  ]);
  const pages: SearchPage[] = [];
  for (const [i, key] of next.entries()) {
    const place = placesOf(key);
    const isMarked = marks.some((mark) => isWithin(place, markedAt(mark)));
    // oxlint-disable-next-line no-await-in-loop -- they are written one after the other
    const page = isMarked ? await repairPage(wallet, store, key) : { ...place, lines: texts[i] as string };
    if (page) pages.push(page);
  }
  return { pages, areAll: next.length === keys.length };
}

async function textOf(wallet: Wallet, pages: StoredPages, key: SearchPageKey): Promise<string> {
  const kept = cachedPage(wallet, key);
  if (kept !== undefined) return kept;
  const text = (await pages.get(key)) as string;
  cachePage(wallet, key, text);
  return text;
}

/**
 * Rebuilds the lines of marked records. Returns null if the page no longer exists, or was deleted because records have
 * moved.
 */
export async function repairPage(wallet: Wallet, store: PagedStore, key: SearchPageKey): Promise<SearchPage | null> {
  const tx = await pagesTransaction(wallet, store);
  const pages: ChangedPages = tx.objectStore('searchPages');
  const place = placesOf(key);
  const [text, marks] = await Promise.all([pages.get(key), marksIn(wallet, pages, store, place)]);
  if (text === undefined) return null; // the page has been merged with another page
  const lines = await mendedLines(
    (id) => timedRecord<MoneyEntry['record']>(tx, store, id),
    key,
    text.split('\n'),
    marks,
  );
  forgetPage(wallet, key);
  await Promise.all([
    lines ? pages.put(lines.join('\n'), key) : pages.delete(key),
    ...marks.map((mark) => pages.delete(mark)),
    tx.done,
  ]);
  return lines && { ...place, lines: lines.join('\n') };
}

/** Returns the lines, with the marked ones updated; null if they are no longer in order because records have moved. */
async function mendedLines(
  readRecord: ReadRecord,
  key: SearchPageKey,
  lines: readonly string[],
  marks: readonly SearchMarkKey[],
): Promise<string[] | null> {
  const ids = lines.map((line) => partsOf(line).id);
  const places = new Map(ids.map((id, i) => [id, i]));
  const read = async (id: string) => entryOf(key[0], id, await readRecord(id));
  /** True if there is no line i, or its record is still in the page and in the right order. */
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
      if (!entry || !isSame(entry, markedAt(mark))) return true; // removed, or moved and marked at its new position
      mended[i] = lineOf(entry);
      return (
        (await isBeside(i - 1, (newer) => isNewer(newer, entry))) &&
        (await isBeside(i + 1, (older) => isNewer(entry, older)))
      );
    }),
  );
  return areMended.every(Boolean) ? mended : null;
}

type ReadRecord = (id: string) => Promise<MoneyEntry['record'] | undefined>;

function entryOf(store: PagedStore, id: string, record: MoneyEntry['record'] | undefined): MoneyEntry | null {
  return record ? ({ store, record, time: record.createdAt, id } as MoneyEntry) : null;
}

/** A range without a page, from `at` down to `last` (inclusive). */
export interface Gap {
  at: Position;
  last: Position;
  isBelowPage: boolean;
  /** True if the next page ends at `last`. */
  isAbovePage: boolean;
}

export interface GapPart {
  /** Sorted newest first. */
  entries: Entry[];
  lines: string[];
  /** True if the gap was read to its end. */
  isWhole: boolean;
  made: boolean;
}

/**
 * Reads up to `most` records in a gap and builds a page from them. If only a few records remain at the end of a gap,
 * builds a page only if they are between two pages.
 */
export async function readGap(
  wallet: Wallet,
  store: PagedStore,
  { at, last, isBelowPage, isAbovePage }: Gap,
  most: number,
): Promise<GapPart> {
  if (at.time > wallet.now() - SETTLES_MS) {
    const tx = await timedTransaction(wallet, store);
    return { ...partOf(await readPiece<MoneyEntry>(wallet, tx, store, at, last, most), most), made: false };
  }
  const tx = await pagesTransaction(wallet, store);
  const next = await pageAbove(wallet, tx.objectStore('searchPages'), store, at);
  const touches = isBelowPage || (next !== undefined && isSame(placesOf(next).from, at));
  const part = partOf(await readPiece<MoneyEntry>(wallet, tx, store, at, last, most), most);
  const { entries, lines, isWhole } = part;
  const [first, oldest] = [entries[0], entries.at(-1)];
  const reachesPage = isWhole && (isAbovePage || isSame(last, BOTTOM));
  let made = false;
  if (first && oldest && (entries.length >= MIN_PAGE_RECORDS || !isWhole || (touches && reachesPage)))
    made = await putPage(wallet, tx.objectStore('searchPages'), store, {
      from: reachesPage ? last : { time: oldest.time, id: oldest.id },
      end: touches ? at : { time: first.time, id: `${first.id}\0` },
      lines: lines.join('\n'),
    });
  await tx.done;
  return { ...part, made };
}

/** Returns as many records as fit into a page, with their lines. */
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
 * Stores a page, merged with adjacent ones if they fit. Returns false if another search has built an overlapping page.
 */
async function putPage(
  wallet: Wallet,
  pages: ChangedPages,
  store: PagedStore,
  { from, end, lines }: SearchPage,
): Promise<boolean> {
  const next = await pageAbove(wallet, pages, store, from);
  const above = next && placesOf(next);
  if (above && isNewer(end, above.from)) return false;
  /** Removes an adjacent page and returns its lines, if the pages can be merged. */
  const take = async (key: SearchPageKey): Promise<string[]> => {
    const others = await pages.get(key);
    if (others === undefined || others.length + lines.length >= PAGE_TEXT) return [];
    // A record that moved from one page to the other has a line in both. After merging, one line would be in the wrong
    // place.
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
  const [below] = await pagesIn(
    pages,
    wallet.keyRange.bound([store, from.time, from.id], [store, from.time, from.id, []]),
  );
  if (below) {
    const older = await take(below);
    if (older.length > 0) [lines, from] = [[lines, ...older].join('\n'), placesOf(below).from];
  }
  forgetPage(wallet, keyOf(store, { from, end }));
  await pages.put(lines, keyOf(store, { from, end }));
  return true;
}

/** Returns the records that are still in the page, in the order of `ids`. */
export async function readRecords(
  wallet: Wallet,
  store: PagedStore,
  page: SearchPage,
  ids: readonly string[],
): Promise<Entry[]> {
  const tx = await timedTransaction(wallet, store);
  const read = await Promise.all(ids.map((id) => timedRecord<MoneyEntry['record']>(tx, store, id)));
  return read
    .map((record, i) => entryOf(store, ids[i] as string, record))
    .filter((entry) => entry !== null && isWithin(page, entry)) as Entry[];
}
