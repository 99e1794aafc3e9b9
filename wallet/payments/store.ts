/**
 * The stores of payments and of requests. Functions with a transaction are part of it; `readTransaction` (database.ts)
 * begins one that only reads.
 */
import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import { type Reading, type WriteTransaction, inTransaction, readTransaction, database } from '../store/database.ts';
import { latest, type LatestIndex } from '../store/latest-records.ts';
import { lightPayment, withoutScripts, hasLightCopies } from '../store/light-payment.ts';
import { isEndedUnsigned, hasScripts, movePayment, type Change, unfinishedOf } from './move.ts';
import type { PaymentRecord, PaymentRequest } from './record.ts';
import type { Wallet } from '../platform.ts';
import { meaningOf, ServiceError, toWireError, type WireError } from '../../protocol/errors/service-error.ts';
import { announceChange, signalChange } from '../events.ts';

const stored = (tx: Reading) => tx.objectStore('payments');

export const getPayment = (tx: Reading, id: string): Promise<PaymentRecord | undefined> => stored(tx).get(id);

/** A payment without its large scripts and bytes. */
export const getLight = (tx: Reading, id: string): Promise<PaymentRecord | undefined> =>
  lightPayment<PaymentRecord>(tx, id);

/** The payment of a site's request. */
export const paymentOfRequest = (tx: Reading, origin: string, requestId: string): Promise<PaymentRecord | undefined> =>
  stored(tx).index('request').get([origin, requestId]);

/** A site's action by the reference that its application finishes it with. */
export const paymentOfReference = (
  tx: Reading,
  origin: string,
  reference: string,
): Promise<PaymentRecord | undefined> => stored(tx).index('reference').get([origin, reference]);

/** The signed payments with a transaction id. There is one, unless an earlier version stored copies. */
export const paymentsMaking = (tx: Reading, txid: string): Promise<PaymentRecord[]> =>
  stored(tx).index('txid').getAll(txid);

/** The first of them. */
export const paymentMaking = (tx: Reading, txid: string): Promise<PaymentRecord | undefined> =>
  stored(tx).index('txid').get(txid);

/** Its id. */
export const idMaking = (tx: Reading, txid: string): Promise<string | undefined> =>
  stored(tx).index('txid').getKey(txid);

export const countMaking = (tx: Reading, txid: string): Promise<number> => stored(tx).index('txid').count(txid);

/** Transactions (ids) that more than one payment has. */
export async function copiedTxids(tx: Reading): Promise<Set<string>> {
  const copied = new Set<string>();
  let before: IDBValidKey | undefined;
  let cursor = await stored(tx).index('txid').openKeyCursor();
  for (; cursor; cursor = await cursor.continue()) {
    if (cursor.key === before) copied.add(cursor.key);
    before = cursor.key;
  }
  return copied;
}

/** The signed payments that spend an outpoint, including ended ones. */
export const paymentsSpending = (tx: Reading, outpoint: string): Promise<PaymentRecord[]> =>
  stored(tx).index('input').getAll(outpoint);

/** The ids of those that spend an output of a transaction. */
export const idsSpendingOutputs = (tx: Reading, txid: string): Promise<string[]> =>
  stored(tx)
    .index('input')
    .getAllKeys(IDBKeyRange.bound(`${txid}:`, `${txid};`));

export const paymentsIn = (tx: Reading, state: PaymentState): Promise<PaymentRecord[]> =>
  stored(tx).index('state').getAll(state);

export const idsIn = (tx: Reading, state: PaymentState): Promise<string[]> =>
  stored(tx).index('state').getAllKeys(state);

export const countIn = (tx: Reading, state: PaymentState): Promise<number> => stored(tx).index('state').count(state);

/** Payments in a state, one at a time, because they may be large. */
export async function* eachIn(tx: Reading, state: PaymentState): AsyncGenerator<PaymentRecord> {
  let cursor = await stored(tx).index('state').openCursor(state);
  for (; cursor; cursor = await cursor.continue()) yield cursor.value;
}

export const paymentsOfSite = (tx: Reading, origin: string, state: PaymentState): Promise<PaymentRecord[]> =>
  stored(tx).index('site').getAll([origin, state]);

export const countOfSite = (tx: Reading, origin: string, state: PaymentState): Promise<number> =>
  stored(tx).index('site').count([origin, state]);

/**
 * Payments with remaining work.
 * @param reports also those whose only remaining work is their report
 */
export const paymentsUnfinished = (tx: Reading, reports = false): Promise<PaymentRecord[]> =>
  stored(tx)
    .index('unfinished')
    .getAll(reports ? IDBKeyRange.bound(1, 2) : 1);

export const idsUnfinished = (tx: Reading): Promise<string[]> => stored(tx).index('unfinished').getAllKeys(1);

/** Those with remaining work, without large parts. */
export async function lightUnfinished(tx: Reading): Promise<PaymentRecord[]> {
  if (!(await hasLightCopies(tx))) return paymentsUnfinished(tx);
  const light = await Promise.all((await idsUnfinished(tx)).map((id) => getLight(tx, id)));
  return light.filter((record) => record !== undefined);
}

/** Payments that blocks above a height contain. */
export const paymentsMinedAbove = (tx: Reading, height: number): Promise<PaymentRecord[]> =>
  stored(tx).index('height').getAll(IDBKeyRange.lowerBound(height, true));

/** Payments that conflicting transactions ended: all, or those in blocks above a height. */
export const paymentsEnded = (tx: Reading, height?: number): Promise<PaymentRecord[]> =>
  stored(tx)
    .index('ended')
    .getAll(height === undefined ? null : IDBKeyRange.lowerBound(height, true));

/** The latest payments of a site, or of all, without large parts, in order of creation. */
export async function latestPayments(tx: Reading, origin: string | null, most: number): Promise<PaymentRecord[]> {
  const index = stored(tx).index(origin === null ? 'createdAt' : 'latest') as unknown as LatestIndex<PaymentRecord>;
  const range =
    origin === null ? IDBKeyRange.bound(0, Number.MAX_SAFE_INTEGER) : IDBKeyRange.bound([origin], [origin, []]);
  if (!(await hasLightCopies(tx))) return latest(index, range, most, 'getAll');
  const ids = await latest(index, range, most, 'getAllKeys');
  const records = await Promise.all(ids.map((id) => getLight(tx, id)));
  return records.filter((record) => record !== undefined);
}

/** Payments from the newest on, by a site or by all. */
export async function* newestPayments(tx: Reading, origin: string | null): AsyncGenerator<PaymentRecord> {
  let cursor =
    origin === null
      ? await stored(tx).index('createdAt').openCursor(null, 'prev')
      : await stored(tx)
          .index('latest')
          .openCursor(IDBKeyRange.bound([origin], [origin, []]), 'prev');
  for (; cursor; cursor = await cursor.continue()) yield cursor.value;
}

/** Stores a new payment. */
export async function addPayment(tx: WriteTransaction, record: PaymentRecord): Promise<void> {
  await tx.objectStore('payments').add({ ...record, unfinished: unfinishedOf(record) });
}

/**
 * Stores a change of a payment. Announce it afterwards (events.ts).
 * @throws ServiceError `internal` if its event is illegal in the payment's state
 */
export async function putPayment(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  change: Change = {},
): Promise<PaymentRecord> {
  const moved = movePayment(record, change);
  const kept = isEndedUnsigned(moved) ? withoutScripts(moved) : moved;
  const next: PaymentRecord = { ...kept, updatedAt: wallet.now(), unfinished: unfinishedOf(kept) };
  await tx.objectStore('payments').put(next);
  return next;
}

/** Stores a change that doesn't advance a payment, such as a note, without updating its time of change. */
export async function amendPayment(tx: WriteTransaction, record: PaymentRecord): Promise<void> {
  await tx.objectStore('payments').put(record);
}

/** Removes the scripts of one that ended unsigned, which earlier versions stored. */
export async function dropScripts(tx: WriteTransaction, id: string): Promise<void> {
  const record = await getPayment(tx, id);
  if (record && isEndedUnsigned(record)) await amendPayment(tx, withoutScripts(record));
}

export async function deletePayment(tx: WriteTransaction, id: string): Promise<void> {
  await tx.objectStore('payments').delete(id);
}

/** The page's request with this name, while it is being quoted. */
export const requestOf = (tx: Reading, origin: string, requestId: string): Promise<PaymentRequest | undefined> =>
  tx.objectStore('requests').index('request').get([origin, requestId]);

/** Whether either store has a site's request with this name. */
export const isNamed = async (tx: Reading, origin: string, requestId: string): Promise<boolean> =>
  ((await requestOf(tx, origin, requestId)) ?? (await paymentOfRequest(tx, origin, requestId))) !== undefined;

export const allRequests = (tx: Reading): Promise<PaymentRequest[]> => tx.objectStore('requests').getAll();

export const hasRequest = async (tx: Reading, id: string): Promise<boolean> =>
  (await tx.objectStore('requests').getKey(id)) !== undefined;

export async function addRequest(tx: WriteTransaction, request: PaymentRequest): Promise<void> {
  await tx.objectStore('requests').add(request);
}

export async function deleteRequest(tx: WriteTransaction, id: string): Promise<void> {
  await tx.objectStore('requests').delete(id);
}

export async function readPayment(wallet: Wallet, id: string): Promise<PaymentRecord | undefined> {
  return getPayment(readTransaction(await database(wallet)), id);
}

/**
 * Changes a payment, in one database transaction, if it is still in the expected state. `change` may change coins,
 * addresses, allowances and sites in the same transaction, and may await nothing else. An event in it moves the payment
 * to another state (move.ts).
 * @returns the new record, or null if the payment was in another state already, and nothing was changed
 */
export async function transition(
  wallet: Wallet,
  id: string,
  from: PaymentState | readonly PaymentState[],
  change: (record: PaymentRecord, tx: WriteTransaction) => Change | Promise<Change>,
): Promise<PaymentRecord | null> {
  const moved = await inTransaction(wallet, async (tx) => {
    const record = await getPayment(tx, id);
    if (!record || ![from].flat().includes(record.state)) return null;
    return putPayment(wallet, tx, record, await change(record, tx));
  });
  if (moved === null) return null;
  signalChange(wallet, id);
  announceChange(wallet);
  return moved;
}

/** The error of a payment that ended unsigned. Codes that mean it may still be made would be wrong. */
export function lastingError({ code, message }: WireError): WireError {
  return meaningOf(code).final ? { code, message } : toWireError(new ServiceError('not-paid'));
}

/** Ends an approved payment that couldn't be signed. Does nothing in other states. */
export function failUnsigned(wallet: Wallet, id: string, error: ServiceError): Promise<PaymentRecord | null> {
  return transition(wallet, id, 'approved', () => ({ event: 'fail', error: lastingError(error), operations: null }));
}

/**
 * How long payments are stored and shown that ended before they were signed, so that a repeated request finds the same
 * payment (milliseconds).
 */
const KEPT_MS = 24 * 3600_000;
/** Maximum number of them for one site, so that none can fill the disk. */
const MOST_OF_A_SITE = 100;
const ENDED = ['refused', 'failed'] as const;

/** True if it ended unsigned and is too old to be stored or shown. */
export function isOver(record: PaymentRecord, now: number): boolean {
  return isEndedUnsigned(record) && Math.abs(now - record.updatedAt) > KEPT_MS;
}

/** Deletes a site's excess records, oldest first. */
export async function dropOldest(tx: WriteTransaction, origin: string): Promise<void> {
  let count = 0;
  for (const state of ENDED) count += await countOfSite(tx, origin, state);
  if (count <= MOST_OF_A_SITE) return;
  const unsigned: PaymentRecord[] = [];
  for (const state of ENDED)
    unsigned.push(...(await paymentsOfSite(tx, origin, state)).filter(({ signed }) => signed === null));
  unsigned.sort((a, b) => b.updatedAt - a.updatedAt);
  for (const { id } of unsigned.slice(MOST_OF_A_SITE)) await deletePayment(tx, id);
}

/** Deletes old records of all sites, and the scripts that earlier versions stored. */
export async function pruneEnded(wallet: Wallet): Promise<void> {
  const now = wallet.now();
  const [over, large]: [string[], string[]] = [[], []];
  for (const state of ENDED) {
    for await (const record of eachIn(readTransaction(await database(wallet)), state)) {
      if (isOver(record, now)) over.push(record.id);
      else if (isEndedUnsigned(record) && hasScripts(record)) large.push(record.id);
    }
  }
  if (over.length > 0) {
    await inTransaction(wallet, async (tx) => {
      for (const id of over) await deletePayment(tx, id);
    });
  }
  for (const id of large) await inTransaction(wallet, (tx) => dropScripts(tx, id));
}
