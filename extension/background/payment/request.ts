/** A page's request to pay: stored first, then quoted, then put before the user. Asked again, it is the same payment. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { Payment, PaymentOptions } from '../../../protocol/payment.ts';
import { rateOf } from '../chain/rates.ts';
import { database, readKey } from '../database.ts';
import { resolveOutputs } from '../recipients/resolve.ts';
import { readSettings } from '../settings.ts';
import { closeApproval, showApproval } from './approval.ts';
import { dataOutput } from './build.ts';
import { drivePayment } from './drive.ts';
import { paymentObject } from './payment-object.ts';
import { endUnsigned, isAnswerable, nextChange, readPayment, step, type PaymentRecord } from './record.ts';

/** Most approval windows at once, over all sites. */
const MAX_APPROVALS = 4;
/** Failed tries to broadcast after which the page is told that its payment is on its way; at least one since it asked. */
const PATIENCE_ATTEMPTS = 3;

// Which documents wait for which payment. Gone with the worker; they ask again then.
const waiting = new Map<string, Set<object>>();
const gone = new WeakSet<object>();
const beginning = new Map<string, Promise<PaymentRecord>>();

/**
 * Pays what a page asks for, once, and answers with the payment object when the network has it.
 * @param asker stands for the document that asks: when it goes, an undecided payment goes with it
 * @throws ServiceError see docs/architecture.md, "What a page can be told"
 */
export async function requestPayment(origin: string, requestId: string, options: PaymentOptions, asker: object): Promise<Payment> {
  if (!(await readKey('vault'))) throw new ServiceError('wallet-not-set-up');
  const key = `${origin} ${requestId}`;
  const begun = beginning.get(key) ?? begin(origin, requestId, options);
  beginning.set(key, begun);
  let record: PaymentRecord;
  try {
    record = await begun;
  } finally {
    beginning.delete(key);
  }
  if (canonical(record.options) !== canonical(options)) throw new ServiceError('request-id-reused');
  const askers = waiting.get(record.id) ?? new Set();
  waiting.set(record.id, askers.add(asker));
  if (gone.has(asker)) await askerGone(asker); // it left while its request was being looked at
  try {
    return await answerOf(record.id);
  } finally {
    askers.delete(asker);
    if (askers.size === 0) waiting.delete(record.id);
  }
}

/** The document went away: what it asked for and the user has not decided is withdrawn. */
export async function askerGone(asker: object): Promise<void> {
  gone.add(asker);
  for (const [id, askers] of waiting) {
    if (!askers.delete(asker) || askers.size > 0) continue;
    const record = await readPayment(id);
    if (record?.state === 'requested' && (await endUnsigned(id, 'refused', new ServiceError('page-gone')))) await closeApproval(record);
  }
}

/**
 * Withdraws what an earlier life of the worker left open and nobody waits for any more. Called once the pages had time to
 * ask again.
 * @param before start of this life, milliseconds since 1970
 */
export async function withdrawAbandoned(before: number): Promise<void> {
  for (const record of await (await database()).getAllFromIndex('payments', 'state', 'requested')) {
    if (waiting.has(record.id) || record.createdAt >= before) continue;
    if (await endUnsigned(record.id, 'refused', new ServiceError('page-gone'))) await closeApproval(record);
  }
}

/** The stored payment of a request, made now where there is none; on return it is quoted and before the user, or ended. */
async function begin(origin: string, requestId: string, options: PaymentOptions): Promise<PaymentRecord> {
  const record = await storeRequest(origin, requestId, options);
  if (record.state !== 'requested') return record;
  const quoted = record.quote ? record : await quoteOrForget(record);
  try {
    if (quoted) await showApproval(quoted);
  } catch (error) {
    await endUnsigned(record.id, 'failed', error instanceof ServiceError ? error : new ServiceError('internal', { cause: error }));
  }
  return (await readPayment(record.id)) ?? record;
}

/** What cannot be quoted never comes before the user and leaves nothing: a page could fill the disk with it. */
async function quoteOrForget(record: PaymentRecord): Promise<PaymentRecord | null> {
  try {
    return await quote(record);
  } catch (error) {
    const tx = (await database()).transaction('payments', 'readwrite');
    if ((await tx.store.get(record.id))?.state === 'requested') await tx.store.delete(record.id);
    await tx.done;
    throw error;
  }
}

/** Finds or stores the request, and counts what is open, in one database transaction. */
async function storeRequest(origin: string, requestId: string, options: PaymentOptions): Promise<PaymentRecord> {
  const tx = (await database()).transaction('payments', 'readwrite');
  const known = await tx.store.index('request').get([origin, requestId]);
  if (known) {
    await tx.done;
    return known;
  }
  const open = await tx.store.index('state').getAll('requested');
  if (open.length >= MAX_APPROVALS || open.some((other) => other.origin === origin)) {
    await tx.done;
    throw new ServiceError('busy');
  }
  const now = Date.now();
  const record: PaymentRecord = {
    id: crypto.randomUUID(), requestId, origin, options, state: 'requested', createdAt: now, updatedAt: now,
    quote: null, approval: null, approvedAt: null, signed: null, error: null,
    delivery: { attempts: 0, nextAt: 0, problem: null }, report: 'waiting', height: null, unfinished: 0,
  };
  await tx.store.add(record);
  await tx.done;
  return record;
}

async function quote(record: PaymentRecord): Promise<PaymentRecord | null> {
  dataOutput(record.options.opReturn);
  const { network } = await readSettings();
  const resolved = await resolveOutputs(record.options.outputs, network, async (currency) => (await rateOf(currency)).price);
  return step(record.id, 'requested', () => ({ quote: resolved }));
}

/** Waits until a payment can be answered, pushing it on where it hangs. */
async function answerOf(id: string): Promise<Payment> {
  const before = (await readPayment(id))?.delivery.attempts ?? 0;
  void drivePayment(id);
  for (;;) {
    const change = nextChange(id);
    const record = await readPayment(id);
    if (!record) throw new ServiceError('not-found');
    if (isAnswerable(record)) {
      if (record.state === 'broadcast') await reportedOrLate(id);
      return answer((await readPayment(id)) ?? record);
    }
    const { attempts } = record.delivery;
    if (record.state === 'signed' && attempts >= PATIENCE_ATTEMPTS && attempts > before) throw new ServiceError('payment-pending');
    await change;
  }
}

/** A slow service holds the page's answer up for two seconds at most. */
async function reportedOrLate(id: string): Promise<void> {
  if (!(await readKey('account'))) return;
  const change = nextChange(id);
  if ((await readPayment(id))?.state !== 'broadcast') return; // reported meanwhile
  await Promise.race([change, new Promise((resolve) => setTimeout(resolve, 2000))]);
}

async function answer(record: PaymentRecord): Promise<Payment> {
  if (record.error) throw new ServiceError(record.error.code, { message: record.error.message });
  return paymentObject(record, (await readKey('account'))?.id ?? null);
}

/** One text for equal options, whatever the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part);
}
