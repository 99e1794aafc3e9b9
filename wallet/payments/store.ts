/**
 * Reads and writes payments and requests. Functions with a `tx` parameter run within that transaction.
 * `readTransaction` (database.ts) begins a read-only transaction.
 */
import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import { type Reading, type WriteTransaction, inTransaction, readTransaction, database } from '../store/database.ts';
import { latest, type LatestIndex } from '../store/latest-records.ts';
import { lightPayment, withoutScripts, hasLightCopies } from '../store/write-transaction.ts';
import { isEndedUnsigned, lastingError, movePayment, type Change, unfinishedBytesOf } from './move.ts';
import { unfinishedOf } from './remaining-work.ts';
import { getTotal, putTotal } from '../store/totals.ts';
import type { LightPayment, PaymentRecord, PaymentRequest } from './record.ts';
import type { Wallet } from '../platform.ts';
import type { ServiceError } from '../../protocol/errors/service-error.ts';
import { announceChange, signalChange } from '../events.ts';

const stored = (tx: Reading) => tx.objectStore('payments');

export const getPayment = (tx: Reading, id: string): Promise<PaymentRecord | undefined> => stored(tx).get(id);

/** Returns a payment without its scripts and raw transaction, or the whole payment if it is small. */
export const getLight = (tx: Reading, id: string): Promise<LightPayment | undefined> =>
  lightPayment<LightPayment>(tx, id);

/** Returns the payment for a site's request. */
export const paymentOfRequest = (tx: Reading, origin: string, requestId: string): Promise<PaymentRecord | undefined> =>
  stored(tx).index('request').get([origin, requestId]);

/** Returns a site's action by its application's reference. */
export const paymentOfReference = (
  tx: Reading,
  origin: string,
  reference: string,
): Promise<PaymentRecord | undefined> => stored(tx).index('reference').get([origin, reference]);

/** Returns the signed payments with the given transaction ID: one, unless an earlier version stored duplicates. */
export const paymentsMaking = (tx: Reading, txid: string): Promise<PaymentRecord[]> =>
  stored(tx).index('txid').getAll(txid);

/** Returns {@link paymentsMaking} without large parts (see {@link getLight}). */
export const lightMaking = (tx: Reading, txid: string): Promise<LightPayment[]> => lightOf(tx, 'txid', txid);

/** Returns the first signed payment with the given transaction ID. */
export const paymentMaking = (tx: Reading, txid: string): Promise<PaymentRecord | undefined> =>
  stored(tx).index('txid').get(txid);

/** Returns the ID of the first signed payment with the given transaction ID. */
export const idMaking = (tx: Reading, txid: string): Promise<string | undefined> =>
  stored(tx).index('txid').getKey(txid);

export const countMaking = (tx: Reading, txid: string): Promise<number> => stored(tx).index('txid').count(txid);

/** Returns the IDs of transactions that are stored in several payments. */
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

/** Returns the signed payments that spend an outpoint, including those that have ended. */
export const paymentsSpending = (tx: Reading, outpoint: string): Promise<PaymentRecord[]> =>
  stored(tx).index('input').getAll(outpoint);

/**
 * Returns a function like {@link paymentsSpending} for many outpoints. It reads each payment only once, without large
 * parts, because a sweep can spend a thousand outputs.
 */
export function lightSpenders(tx: Reading): (outpoint: string) => Promise<LightPayment[]> {
  const read = new Map<string, Promise<LightPayment | undefined>>();
  return async (outpoint) => {
    const ids = await stored(tx).index('input').getAllKeys(outpoint);
    for (const id of ids) read.set(id, read.get(id) ?? getLight(tx, id));
    const found = await Promise.all(ids.map((id) => read.get(id)));
    return found.filter((record) => record !== undefined);
  };
}

/** Returns the distinct IDs of payments that spend outputs of a transaction. */
export const idsSpendingOutputs = async (wallet: Wallet, tx: Reading, txid: string): Promise<Set<string>> =>
  new Set(await stored(tx).index('input').getAllKeys(outputsOf(wallet, txid)));

const outputsOf = ({ keyRange }: Wallet, txid: string) => keyRange.bound(`${txid}:`, `${txid};`);

export const paymentsIn = (tx: Reading, state: PaymentState): Promise<PaymentRecord[]> =>
  stored(tx).index('state').getAll(state);

/** Returns the payments in a state, without large parts (see {@link getLight}). */
export const lightIn = (tx: Reading, state: PaymentState): Promise<LightPayment[]> => lightOf(tx, 'state', state);

/** Reads payments in one request if no payment has a copy, otherwise one by one. */
async function lightOf(
  tx: Reading,
  name: 'state' | 'txid' | 'unfinished',
  query: string | IDBKeyRange,
): Promise<LightPayment[]> {
  const index = stored(tx).index(name as 'txid');
  if (!(await hasLightCopies(tx))) return index.getAll(query);
  return lightAll(tx, await index.getAllKeys(query));
}

const lightAll = async (tx: Reading, ids: readonly string[]): Promise<LightPayment[]> =>
  (await Promise.all(ids.map((id) => getLight(tx, id)))).filter((record) => record !== undefined);

export const idsIn = (tx: Reading, state: PaymentState): Promise<string[]> =>
  stored(tx).index('state').getAllKeys(state);

export const countIn = (tx: Reading, state: PaymentState): Promise<number> => stored(tx).index('state').count(state);

/** Yields the payments in a state one by one, because they may be large. */
export async function* eachIn(tx: Reading, state: PaymentState): AsyncGenerator<PaymentRecord> {
  let cursor = await stored(tx).index('state').openCursor(state);
  for (; cursor; cursor = await cursor.continue()) yield cursor.value;
}

export const paymentsOfSite = (tx: Reading, origin: string, state: PaymentState): Promise<PaymentRecord[]> =>
  stored(tx).index('site').getAll([origin, state]);

export const countOfSite = (tx: Reading, origin: string, state: PaymentState): Promise<number> =>
  stored(tx).index('site').count([origin, state]);

/**
 * Returns payments with remaining work.
 * @param reports true to include payments for which only the report remains
 */
export const paymentsUnfinished = (wallet: Wallet, tx: Reading, reports = false): Promise<PaymentRecord[]> =>
  stored(tx).index('unfinished').getAll(unfinishedRange(wallet, reports));

const unfinishedRange = ({ keyRange }: Wallet, reports: boolean) => keyRange.bound(1, reports ? 2 : 1);

export const idsUnfinished = (tx: Reading): Promise<string[]> => stored(tx).index('unfinished').getAllKeys(1);

/**
 * Returns {@link paymentsUnfinished} without large parts (see {@link getLight}). Callers read a payment again before they
 * send or store it.
 */
export const lightUnfinished = (wallet: Wallet, tx: Reading, reports = false): Promise<PaymentRecord[]> =>
  lightOf(tx, 'unfinished', unfinishedRange(wallet, reports)) as Promise<PaymentRecord[]>;

/** Returns payments mined in blocks above a height. */
export const paymentsMinedAbove = (wallet: Wallet, tx: Reading, height: number): Promise<PaymentRecord[]> =>
  stored(tx).index('height').getAll(wallet.keyRange.lowerBound(height, true));

/** Returns payments ended by conflicting transactions: all, or those in blocks above a height. */
export const paymentsEnded = (wallet: Wallet, tx: Reading, height?: number): Promise<PaymentRecord[]> =>
  stored(tx)
    .index('ended')
    .getAll(height === undefined ? null : wallet.keyRange.lowerBound(height, true));

/** Returns the latest payments of a site or of all sites, without large parts, in order of creation. */
export async function latestPayments(
  wallet: Wallet,
  tx: Reading,
  origin: string | null,
  most: number,
): Promise<LightPayment[]> {
  const index = stored(tx).index(origin === null ? 'createdAt' : 'latest') as unknown as LatestIndex<PaymentRecord>;
  const range = origin === null ? wallet.keyRange.bound(0, Number.MAX_SAFE_INTEGER) : ofSite(wallet, origin);
  if (!(await hasLightCopies(tx))) return latest(wallet, index, range, most, 'getAll');
  return lightAll(tx, await latest(wallet, index, range, most, 'getAllKeys'));
}

const ofSite = ({ keyRange }: Wallet, origin: string) => keyRange.bound([origin], [origin, []]);

/** Yields payments of a site or of all sites, newest first. */
export async function* newestPayments(
  wallet: Wallet,
  tx: Reading,
  origin: string | null,
): AsyncGenerator<PaymentRecord> {
  const byTime = stored(tx).index(origin === null ? 'createdAt' : ('latest' as 'createdAt'));
  let cursor = await byTime.openCursor(origin === null ? null : ofSite(wallet, origin), 'prev');
  for (; cursor; cursor = await cursor.continue()) yield cursor.value;
}

/** Stores a new payment with its remaining work. */
export async function addPayment(tx: WriteTransaction, record: PaymentRecord): Promise<void> {
  const next = counted(record);
  await tx.objectStore('payments').add({ ...next, unfinished: unfinishedOf(record) });
  await addUnfinishedBytes(tx, record.origin, next.unfinishedBytes ?? 0);
}

function counted({ unfinishedBytes: _, ...record }: PaymentRecord): PaymentRecord {
  const bytes = unfinishedBytesOf(record);
  return bytes > 0 ? { ...record, unfinishedBytes: bytes } : record;
}

async function addUnfinishedBytes(tx: WriteTransaction, origin: string, bytes: number): Promise<void> {
  if (bytes === 0) return;
  const before = await getTotal(tx, `unfinished ${origin}`);
  await putTotal(tx, `unfinished ${origin}`, { bytes: Math.max(0, (before?.bytes ?? 0) + bytes) });
}

/**
 * Stores a change to a payment. Callers must announce the change afterwards (events.ts).
 * @throws ServiceError `internal` if the event is illegal in the payment's state
 */
export async function putPayment(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  change: Change = {},
): Promise<PaymentRecord> {
  const moved = movePayment(record, change);
  const kept = counted(isEndedUnsigned(moved) ? withoutScripts(moved) : withoutSources(moved));
  const next: PaymentRecord = { ...kept, updatedAt: wallet.now(), unfinished: unfinishedOf(kept) };
  await tx.objectStore('payments').put(next);
  await addUnfinishedBytes(tx, next.origin, (next.unfinishedBytes ?? 0) - (record.unfinishedBytes ?? 0));
  return next;
}

/** Removes a signed action's source transactions, which earlier versions stored. */
function withoutSources(record: PaymentRecord): PaymentRecord {
  if (!record.signed || !record.action?.beef) return record;
  const { beef, ...action } = record.action;
  return { ...record, action };
}

/** Stores a change that doesn't advance a payment, such as a note, without changing `updatedAt`. */
export async function amendPayment(tx: WriteTransaction, record: PaymentRecord): Promise<void> {
  await tx.objectStore('payments').put(record);
}

/** Adds outputs that were found to be the wallet's after signing, so they follow the payment's state. */
export async function addOwnOutputs(
  tx: WriteTransaction,
  record: PaymentRecord,
  outpoints: readonly string[],
): Promise<void> {
  if (!record.signed) return;
  const before = record.signed.ownOutputs;
  const ownOutputs = [...new Set([...before, ...outpoints])];
  if (ownOutputs.length > before.length)
    await amendPayment(tx, { ...record, signed: { ...record.signed, ownOutputs } });
}

export async function deletePayment(tx: WriteTransaction, id: string): Promise<void> {
  const record = await getLight(tx, id);
  await tx.objectStore('payments').delete(id);
  if (record) await addUnfinishedBytes(tx, record.origin, -(record.unfinishedBytes ?? 0));
}

/** Returns the page's request with this ID while it is being quoted. */
export const requestOf = (tx: Reading, origin: string, requestId: string): Promise<PaymentRequest | undefined> =>
  tx.objectStore('requests').index('request').get([origin, requestId]);

/** True if a site has a request or payment with this request ID. */
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
 * Changes a payment in one database transaction if it is still in an expected state. `change` may also change coins,
 * addresses, allowances and sites in this transaction, and must not await anything else. An event moves the payment to
 * a different state (move.ts).
 * @returns the new record, or null if the payment was already in another state and nothing was changed
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

/** Ends an approved payment that couldn't be signed. Does nothing in other states. */
export function failUnsigned(wallet: Wallet, id: string, error: ServiceError): Promise<PaymentRecord | null> {
  return transition(wallet, id, 'approved', () => ({ event: 'fail', error: lastingError(error), operations: null }));
}
