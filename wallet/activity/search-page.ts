/** Format of a search page: its key, its lines, and the marks for records with outdated lines. */
import type { SearchMarkKey, SearchPageKey } from '../store/schema.ts';
import { contactKeys } from './contact.ts';
import { type Entry, type MoneyEntry } from './newest-first.ts';
import { rowOf } from './row.ts';
import { isNewer, type Position } from '../store/by-time.ts';
import { pagesAbove } from '../store/write-transaction.ts';
import { textsOf } from './search.ts';
import type { Wallet } from '../platform.ts';

/** A position older than any record. */
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

/** A page with all records from `from` (inclusive) to `end` (exclusive). */
export interface SearchPage {
  from: Position;
  end: Position;
  /** One line per record, newest first. */
  lines: string;
}

type PagePlace = Pick<SearchPage, 'from' | 'end'>;

/** Returns the entry's line. Collapses white space, because search terms contain none. */
export function lineOf(entry: Entry): string {
  const { direction, status } = rowOf(entry);
  const texts = new Set([...textsOf(entry), ...contactKeys(entry)].map((text) => text.toLowerCase()));
  texts.delete(entry.id);
  return `${direction} ${status}\t${entry.id}\t${[...texts].join(' ').replaceAll(/\s+/g, ' ')}`;
}

/** Splits a line into its direction and status, its ID, and all its searchable text, which includes the ID. */
export function partsOf(line: string): { kind: string; id: string; text: string } {
  const [first, second] = [line.indexOf('\t'), line.lastIndexOf('\t')];
  return { kind: line.slice(0, first), id: line.slice(first + 1, second), text: line.slice(first + 1) };
}

export const idsOf = (lines: string) => lines.split('\n').map((line) => partsOf(line).id);

export const isSame = (a: Position, b: Position) => a.time === b.time && a.id === b.id;

/** Returns a page's key: its exclusive end, and the position of its oldest record. */
export function keyOf(store: PagedStore, { from, end }: PagePlace): SearchPageKey {
  return [store, end.time, end.id, from.time, from.id];
}

export function placesOf([, endTime, endId, fromTime, fromId]: SearchPageKey): PagePlace {
  return { from: { time: fromTime, id: fromId }, end: { time: endTime, id: endId } };
}

/** Returns the keys of all pages in a range. */
export async function pagesIn(pages: StoredPages, range: IDBKeyRange): Promise<SearchPageKey[]> {
  return (await pages.getAllKeys(range)) as SearchPageKey[];
}

/**
 * Returns the lowest page that ends above a position. Pages don't overlap, so no other page can contain the position.
 */
export async function pageAbove(
  wallet: Wallet,
  pages: StoredPages,
  store: PagedStore,
  place: Position,
): Promise<SearchPageKey | undefined> {
  return (await pages.getKey(pagesAbove(wallet, store, place))) as SearchPageKey | undefined;
}

/** Returns the marks for records from one position (inclusive) to another (exclusive). */
export async function marksIn(
  wallet: Wallet,
  pages: StoredPages,
  store: PagedStore,
  { from, end }: PagePlace,
): Promise<SearchMarkKey[]> {
  const [oldest, newest] = [from, end].map(({ time, id }): SearchMarkKey => ['changed', store, time, id]);
  return (await pages.getAllKeys(wallet.keyRange.bound(oldest, newest, false, true))) as SearchMarkKey[];
}

export const markedAt = ([, , time, id]: SearchMarkKey): Position => ({ time, id });

export const isWithin = ({ from, end }: PagePlace, place: Position) => isNewer(end, place) && !isNewer(from, place);
