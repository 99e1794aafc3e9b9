/**
 * Lists applications' outputs and actions using database indexes, so a page's cost doesn't depend on the list's length.
 */
import { database, readTransaction } from '../store/database.ts';
import type { AppAction } from './app-action.ts';
import type { AppOutput, Listing } from './app-output.ts';
import { idsIn } from '../payments/store.ts';
import type { Wallet } from '../platform.ts';

/**
 * A range in a list, oldest first. A negative offset counts back from the newest item (-1) and reverses the order.
 */
export interface Part {
  limit: number;
  offset: number;
}

/** Whether any or all of the names must match. */
export type NameMode = 'any' | 'all';

/**
 * Returns the spendable outputs in a basket as seen by a site, optionally only those that have any or all of the given
 * tags. Outputs of transactions that haven't been broadcast yet are listed only for the site that created them. An
 * output that several sites have is listed once, preferably as the site's own entry.
 */
export async function outputsOf(
  wallet: Wallet,
  { basket, origin }: { basket: string; origin: string },
  tags: readonly string[],
  mode: NameMode,
  part: Part,
): Promise<{ total: number; records: AppOutput[] }> {
  const tx = readTransaction(await database(wallet));
  const store = tx.objectStore('appOutputs');
  const hidden = hiddenTwins(await store.index('twin').getAll(basket), origin);
  for (const maker of await idsIn(tx, 'signed'))
    for (const made of await store.index('madeBy').getAll(maker))
      if (made.listing === basket && made.status === 'pending' && made.origin !== origin) hidden.add(made.id);
  if (tags.length === 0 && hidden.size === 0) return pageOf(wallet, store.index('listing'), basket, part);
  const ids =
    tags.length === 0
      ? await store.index('listing').getAllKeys(basket)
      : joined(
          await Promise.all(
            [...new Set(tags)].map((tag) => store.index('tag').getAllKeys(wallet.keyRange.only([basket, tag]))),
          ),
          mode,
        );
  const shown = ids.filter((id) => !hidden.has(id));
  return fetched(shown, part, (id) => store.get(id));
}

/** Returns the IDs of entries hidden from a site because it sees another entry for the same output. */
function hiddenTwins(twins: readonly AppOutput[], origin: string): Set<number> {
  const shown = new Map<string, AppOutput>();
  for (const twin of twins) {
    const before = shown.get(twin.outpoint);
    if (!before || twin.origin === origin || (before.origin !== origin && before.listing === undefined))
      shown.set(twin.outpoint, twin);
  }
  return new Set(twins.filter((twin) => shown.get(twin.outpoint) !== twin).map(({ id }) => id));
}

/** Returns up to `most` listed outputs from all baskets, after a position. */
export async function listedAfter(wallet: Wallet, after: Listing | undefined, most: number): Promise<AppOutput[]> {
  const index = (await database(wallet)).transaction('appOutputs').store.index('listing');
  const [basket, id] = after ?? ['', 0];
  let cursor = await index.openCursor(wallet.keyRange.lowerBound(basket));
  if (cursor?.key === basket && cursor.primaryKey <= id)
    // The last entry read may be gone, or may be the last one in its basket.
    cursor = await cursor.continuePrimaryKey(basket, id + 1);
  const found: AppOutput[] = [];
  for (; cursor && found.length < most; cursor = await cursor.continue()) found.push(cursor.value);
  return found;
}

/** Returns a site's actions, optionally only those that have any or all of the given labels. */
export async function actionsOf(
  wallet: Wallet,
  origin: string,
  labels: readonly string[],
  mode: NameMode,
  part: Part,
): Promise<{ total: number; records: AppAction[] }> {
  const store = (await database(wallet)).transaction('appActions').store;
  if (labels.length === 0) return pageOf(wallet, store.index('origin'), origin, part);
  const ids = await Promise.all(
    [...new Set(labels)].map((label) => store.index('label').getAllKeys(wallet.keyRange.only([origin, label]))),
  );
  return fetched(joined(ids, mode), part, (id) => store.get(id));
}

interface Cursor<T> {
  value: T;
  advance(by: number): Promise<Cursor<T> | null>;
  continue(): Promise<Cursor<T> | null>;
}
interface Index<T> {
  count(key: IDBKeyRange): Promise<number>;
  openCursor(key: IDBKeyRange, direction: 'next' | 'prev'): Promise<Cursor<T> | null>;
}

/** Returns a page of the entries under one key in an index. */
async function pageOf<T>(
  wallet: Wallet,
  index: Index<T>,
  key: string,
  { limit, offset }: Part,
): Promise<{ total: number; records: T[] }> {
  const range = wallet.keyRange.only(key);
  const total = await index.count(range);
  const skip = skipOf(offset);
  const records: T[] = [];
  if (skip >= total) return { total, records };
  let cursor = await index.openCursor(range, offset < 0 ? 'prev' : 'next');
  if (cursor && skip > 0) cursor = await cursor.advance(skip);
  for (; cursor && records.length < limit; cursor = await cursor.continue()) records.push(cursor.value);
  return { total, records };
}

const skipOf = (offset: number): number => (offset < 0 ? -offset - 1 : offset);

/** Returns the IDs in any or in all of the lists, in ascending order. */
function joined(lists: readonly number[][], mode: NameMode): number[] {
  const [first = [], ...others] = lists;
  if (mode === 'any') return [...new Set(lists.flat())].sort((a, b) => a - b);
  const sets = others.map((ids) => new Set(ids));
  return first.filter((id) => sets.every((ids) => ids.has(id)));
}

async function fetched<T>(
  ids: number[],
  { limit, offset }: Part,
  get: (id: number) => Promise<T | undefined>,
): Promise<{ total: number; records: T[] }> {
  const ordered = offset < 0 ? ids.toReversed() : ids;
  const page = ordered.slice(skipOf(offset), skipOf(offset) + limit);
  const records = await Promise.all(page.map(get));
  return { total: ids.length, records: records.filter((one) => one !== undefined) };
}
