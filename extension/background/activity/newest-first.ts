/**
 * Payments, receipts, and what sites got besides, as one row of things that happened, newest first. The stores are read by their index in small
 * pieces, each a transaction of its own: however much a wallet holds, a reader pays for what it looks at, and a long
 * search never keeps a payment from being written.
 */
import type { Receipt } from '../coins/receipt.ts';
import type { OperationsRecord } from '../crypto-operations/operations-record.ts';
import { database } from '../database.ts';
import type { PaymentRecord } from '../payment/record.ts';

/** A place in that row. Of what happened at the same time (milliseconds since 1970) the greater id comes first. */
export interface Position {
  time: number;
  id: string;
}

/** One thing that happened, as stored. */
export type Entry = MoneyEntry | (Position & { store: 'operations'; record: OperationsRecord });
/** The same of money. */
export type MoneyEntry = Position &
  ({ store: 'payments'; record: PaymentRecord } | { store: 'receipts'; record: Receipt });

/** What to read. */
export interface Reading {
  stores: readonly Entry['store'][];
  /** What comes after this place; null from the newest on. */
  before: Position | null;
  /** Nothing older (milliseconds since 1970). */
  since: number;
  /** Records read from each store at once. */
  piece: number;
}

/** Does `a` come before `b` in the row? */
export function isNewer(a: Position, b: Position): boolean {
  return a.time > b.time || (a.time === b.time && a.id > b.id);
}

/** Continues reading for as long as its consumer wants more. */
export async function* newestFirst({ stores, before, since, piece }: Reading): AsyncGenerator<Entry> {
  const lines = stores.map((store) => ({ store, at: before, waiting: [] as Entry[], ended: false }));
  for (;;) {
    for (const line of lines) {
      if (line.waiting.length > 0 || line.ended) continue;
      line.waiting = await readPiece(line.store, line.at, since, piece);
      line.at = line.waiting.at(-1) ?? line.at;
      line.ended = line.waiting.length < piece;
    }
    let newest = lines[0];
    for (const line of lines) {
      const [head, best] = [line.waiting[0], newest?.waiting[0]];
      if (head && (!best || isNewer(head, best))) newest = line;
    }
    const next = newest?.waiting.shift();
    if (!next) return;
    yield next;
  }
}

async function readPiece(
  store: Entry['store'],
  before: Position | null,
  since: number,
  piece: number,
): Promise<Entry[]> {
  if (before && before.time < since) return [];
  const range = before ? IDBKeyRange.bound(since, before.time) : IDBKeyRange.lowerBound(since);
  const entries: Entry[] = [];
  let cursor = await (await database()).transaction(store).store.index('createdAt').openCursor(range, 'prev');
  // Any number of records may be of one time (a restore finds all its receipts at once): jump, do not walk.
  if (cursor && before && cursor.key === before.time && cursor.primaryKey > before.id)
    cursor = await cursor.continuePrimaryKey(before.time, before.id);
  if (cursor && before && cursor.key === before.time && cursor.primaryKey === before.id)
    cursor = await cursor.continue();
  while (cursor) {
    entries.push({ store, record: cursor.value, time: cursor.key, id: cursor.primaryKey } as Entry);
    cursor = entries.length < piece ? await cursor.continue() : null;
  }
  return entries;
}
