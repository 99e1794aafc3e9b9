/**
 * Which payment a new one replaces. A payment that every ARC rejected may be valid all the same, and someone may have
 * its bytes: only another transaction that spends one of its coins ensures that it is never mined in addition to the
 * new one.
 */
import { isKeptApart, type Coin } from '../coins/coin.ts';
import { database, inTransaction, type WriteTransaction } from '../database.ts';
import { rivalsOf } from './conflicts.ts';
import { isCancellable, isLive, type PaymentRecord } from './record.ts';

/** A payment to replace, and how. */
export interface Rival {
  /** The last payment in its chain of replacements. */
  record: PaymentRecord;
  /**
   * The coin of it that is to be spent: of one chain always the same, so that each two of its payments exclude each
   * other.
   */
  anchor: Coin;
  /** Its other coins, and those of the payments before it in the chain: they may be spent, too. */
  others: Coin[];
  /** What the chain's payments took from allowances. */
  chain: PaymentRecord[];
  /** False where the anchor itself may be what the network refuses: then it is spent only if nothing else suffices. */
  trusted: boolean;
}

/** So many refused payments that share an unconfirmed coin put it in doubt. */
const DOUBT = 2;

/** May the next payment take its place? */
function isReplaceable({ state, trouble, replacedBy }: PaymentRecord): boolean {
  return state === 'signed' && (trouble === 'refused' || trouble === 'aborted') && !replacedBy;
}

/** The refused payment that the next one is to take the place of, oldest first, or null. */
export async function nextToReplace(): Promise<Rival | null> {
  const signed = await (await database()).getAllFromIndex('payments', 'state', 'signed');
  for (const record of signed.filter(isReplaceable).sort((a, b) => a.createdAt - b.createdAt)) {
    // One of an application may hold none of our coins: then nothing of ours hangs on it.
    const rival = await inTransaction((tx) => rivalIn(tx, record, null));
    if (rival) return rival;
  }
  return null;
}

/** The last payment that took the place of one, or that one itself. */
export async function lastOfChain(record: PaymentRecord): Promise<PaymentRecord> {
  const db = await database();
  for (let last = record; ;) {
    const next = last.replacedBy ? await db.get('payments', last.replacedBy) : undefined;
    if (!next || !isLive(next)) return last;
    last = next;
  }
}

/**
 * What it takes to cancel a payment, or null where it cannot be cancelled. Once a cancellation was refused, too, the
 * next one spends another of the payment's coins where there is one.
 */
export async function cancellation(id: string): Promise<Rival | null> {
  const record = await (await database()).get('payments', id);
  if (!record || record.cancel) return null;
  const last = await lastOfChain(record);
  if (last.id !== id && !last.cancel) return null;
  if (!isCancellable({ ...record, replacedBy: null, trouble: last.trouble })) return null;
  return inTransaction((tx) => rivalIn(tx, record, last));
}

async function rivalIn(tx: WriteTransaction, record: PaymentRecord, last: PaymentRecord | null): Promise<Rival | null> {
  const chain = [record, ...(await rivalsOf(tx, record))];
  if (last && !chain.some(({ id }) => id === last.id)) chain.push(last);
  const ids = new Set(chain.map(({ id }) => id));
  const coins: Coin[] = [];
  for (const key of new Set(chain.flatMap(({ signed }) => signed?.inputs ?? []))) {
    const coin = await tx.objectStore('coins').get(key);
    // Nothing is replaced by way of a coin that carries something: that would be lost with it.
    if (!coin || isKeptApart(coin)) continue;
    if (coin.paymentId && ids.has(coin.paymentId) && (coin.status === 'reserved' || coin.status === 'spent'))
      coins.push(coin);
  }
  const own = coins.filter(({ outpoint }) => record.signed?.inputs.includes(outpoint));
  const tried = last?.cancel ? new Set(chain.filter(({ cancel }) => cancel).map(({ group }) => group)) : new Set();
  const free = own.filter(({ outpoint }) => !tried.has(outpoint));
  const anchor =
    (last === null || tried.size === 0) && record.group !== undefined
      ? own.find(({ outpoint }) => outpoint === record.group)
      : best(free.length > 0 ? free : own);
  if (!anchor) return null;
  const others = coins.filter(({ outpoint }) => outpoint !== anchor.outpoint);
  return { record, anchor, others, chain, trusted: anchor.height !== null || chain.length < DOUBT };
}

/** What a block holds surely exists; of such coins, or of all, the largest. */
function best(coins: readonly Coin[]): Coin | undefined {
  return [...coins].sort(
    (a, b) => Number(b.height !== null) - Number(a.height !== null) || Number(b.satoshis - a.satoshis),
  )[0];
}
