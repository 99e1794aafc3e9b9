/** A page of searchable text: its key, its lines, and the marks of records whose lines are outdated. */
import type { SearchMarkKey, SearchPageKey } from '../store/schema.ts';
import { contactKeys } from './contact.ts';
import { type Entry, type MoneyEntry } from './newest-first.ts';
import { rowOf } from './row.ts';
import { isNewer, type Position } from '../store/by-time.ts';
import { pagesAbove } from '../store/write-transaction.ts';
import { textsOf } from './search.ts';

/** Older than everything. */
export const BOTTOM: Position = { time: 0, id: '' };

export type PagedStore = MoneyEntry['store'];

export interface StoredPages {
  get(key: SearchPageKey): Promise<string | undefined>;
  getKey(range: IDBKeyRange): Promise<SearchPageKey | SearchMarkKey | undefined>;
  getAllKeys(range: IDBKeyRange): Promise<(SearchPageKey | SearchMarkKey)[]>;
}

export interface ChangedPages extends StoredPages {
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
export function lineOf(entry: Entry): string {
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

export const idsOf = (lines: string) => lines.split('\n').map((line) => partsOf(line).id);

export const isSame = (a: Position, b: Position) => a.time === b.time && a.id === b.id;

/** The key of a stored page: its range from its oldest record to an exclusive end. */
export function keyOf(store: PagedStore, { from, end }: PagePlace): SearchPageKey {
  return [store, end.time, end.id, from.time, from.id];
}

export function placesOf([, endTime, endId, fromTime, fromId]: SearchPageKey): PagePlace {
  return { from: { time: fromTime, id: fromId }, end: { time: endTime, id: endId } };
}

/** The names of all pages in a range. */
export async function pagesIn(pages: StoredPages, range: IDBKeyRange): Promise<SearchPageKey[]> {
  return (await pages.getAllKeys(range)) as SearchPageKey[];
}

/** The next page that ends above a position. Pages don't overlap, so only this one can contain entries there. */
export async function pageAbove(
  pages: StoredPages,
  store: PagedStore,
  place: Position,
): Promise<SearchPageKey | undefined> {
  return (await pages.getKey(pagesAbove(store, place))) as SearchPageKey | undefined;
}

/** Marks of records from one position to another (exclusive). */
export async function marksIn(
  pages: StoredPages,
  store: PagedStore,
  { from, end }: PagePlace,
): Promise<SearchMarkKey[]> {
  const [oldest, newest] = [from, end].map(({ time, id }): SearchMarkKey => ['changed', store, time, id]);
  return (await pages.getAllKeys(IDBKeyRange.bound(oldest, newest, false, true))) as SearchMarkKey[];
}

export const markedAt = ([, , time, id]: SearchMarkKey): Position => ({ time, id });

export const isWithin = ({ from, end }: PagePlace, place: Position) => isNewer(end, place) && !isNewer(from, place);
