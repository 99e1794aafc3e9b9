/**
 * A page's request to pay: stored first, then quoted, then put before the user. Asked again, it is the same payment.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import type { Payment, PaymentOptions } from '../../../protocol/payment.ts';
import type { Rate } from '../../../protocol/wallet-messages.ts';
import { inDollars, rateOf } from '../chain/rates.ts';
import { withOperations } from './operations.ts';
import { database, inTransaction, readKey } from '../database.ts';
import { resolveOutputs } from '../recipients/resolve.ts';
import { readSettings } from '../settings.ts';
import { nextChange, signalChange } from '../events.ts';
import { checkPromptLimits, checkWindowLimit } from '../prompts/limits.ts';
import { closeWindow } from '../prompts/window.ts';
import { showApproval } from './approval.ts';
import { dataOutput } from './build.ts';
import { processPayment } from './process.ts';
import { allowanceKeyOf, approveFromAllowance } from './from-allowance.ts';
import { paymentObject } from './payment-object.ts';
import { dropOldest } from './prune.ts';
import { isAnswerable, newPayment, type PaymentRecord } from './record.ts';
import { promptNameOf, sameOptions } from '../prompts/same-options.ts';
import { offerAgain } from './unsent.ts';
import { endAsked, endUnsigned, forgetRequest, readPayment, transition } from './transition.ts';
import { refuseBlocked } from '../sites/store.ts';
import type { UserActivation } from '../../../protocol/page-messages.ts';

/**
 * Failed tries to broadcast after which the page is told that its payment is on its way; at least one since it asked.
 */
const PATIENCE_ATTEMPTS = 3;

/** How a page asks: to pay by itself, or with a person's hand as the relay saw it. */
export interface Manner {
  automatic: boolean;
  userActivation: UserActivation;
  /** What it would like an allowance for such payments to be. */
  wanted?: NonNullable<PaymentRecord['wanted']>;
  /** The service that its button belongs to, as the page says. */
  service?: string;
}

/** What the page gets: the payment, and the token of an allowance that the user gave with it. */
export interface Answer {
  payment: Payment;
  token: string | null;
}

// Which documents wait for which payment. Gone with the worker; they ask again then.
const waiting = new Map<string, Set<object>>();
const gone = new WeakSet<object>();
const beginning = new Map<string, Promise<PaymentRecord>>();
const turning = new Map<string, Promise<void>>();

/**
 * Pays what a page asks for, once, and answers with the payment object when the network has it.
 * @param client stands for the document that asks: when it goes, an undecided payment goes with it
 * @throws ServiceError see docs/errors.md
 */
export async function requestPayment(
  origin: string,
  requestId: string,
  options: PaymentOptions,
  client: object,
  manner: Manner,
): Promise<Answer> {
  if (!(await readKey('vault'))) throw new ServiceError('wallet-not-set-up');
  const key = `${origin} ${requestId}`;
  const begun = beginning.get(key) ?? begin(origin, requestId, options, manner);
  beginning.set(key, begun);
  let record: PaymentRecord;
  try {
    record = await begun;
  } finally {
    beginning.delete(key);
  }
  if (!sameOptions(record.options, options)) throw new ServiceError('request-id-reused');
  const clients = waiting.get(record.id) ?? new Set();
  waiting.set(record.id, clients.add(client));
  if (gone.has(client)) await clientGone(client); // it left while its request was being looked at
  try {
    return await answerOf(record.id, manner.userActivation);
  } finally {
    clients.delete(client);
    if (clients.size === 0) waiting.delete(record.id);
  }
}

/** The document went away: what it asked for and the user has not decided is withdrawn. */
export async function clientGone(client: object): Promise<void> {
  gone.add(client);
  for (const [id, clients] of waiting) {
    if (!clients.delete(client) || clients.size > 0) continue;
    const record = await readPayment(id);
    if (record?.state === 'requested' && (await endAsked(id, 'page', new ServiceError('page-gone'))))
      await closeWindow(record.approval?.windowId);
  }
}

/**
 * Withdraws what an earlier life of the worker left open and nobody waits for any more. Called once the pages had time
 * to ask again.
 * @param before start of this life, milliseconds since 1970
 */
export async function withdrawAbandoned(before: number): Promise<void> {
  for (const record of await (await database()).getAllFromIndex('payments', 'state', 'requested')) {
    if (waiting.has(record.id) || record.createdAt >= before) continue;
    if (await endUnsigned(record.id, 'refused', new ServiceError('page-gone')))
      await closeWindow(record.approval?.windowId);
  }
}

/**
 * The stored payment of a request, made now where there is none; on return it is quoted, and approved from an
 * allowance, or before the user, or yet to be put before the user, or ended.
 */
async function begin(
  origin: string,
  requestId: string,
  options: PaymentOptions,
  manner: Manner,
): Promise<PaymentRecord> {
  const record = await storeRequest(origin, requestId, options, manner);
  if (record.state !== 'requested') return record;
  const quoted = record.quote ? record : await quoteOrForget(record);
  if (quoted?.asking) await show(quoted);
  else if (quoted) await approveFromAllowance(quoted, manner.userActivation);
  return (await readPayment(record.id)) ?? record;
}

async function show(record: PaymentRecord): Promise<void> {
  try {
    await showApproval(record);
  } catch (error) {
    await endUnsigned(
      record.id,
      'failed',
      error instanceof ServiceError ? error : new ServiceError('internal', { cause: error }),
    );
  }
}

/** What cannot be quoted never comes before the user and leaves nothing: a page could fill the disk with it. */
async function quoteOrForget(record: PaymentRecord): Promise<PaymentRecord | null> {
  try {
    return await quote(record);
  } catch (error) {
    await forgetRequest(record.id);
    throw error;
  }
}

/**
 * Finds or stores the request, in one database transaction. One that may be paid from an allowance needs no window yet;
 * any other takes its place among the windows here.
 */
function storeRequest(
  origin: string,
  requestId: string,
  options: PaymentOptions,
  { automatic, userActivation, wanted, service }: Manner,
): Promise<PaymentRecord> {
  return inTransaction(async (tx) => {
    const payments = tx.objectStore('payments');
    const known = await payments.index('request').get([origin, requestId]);
    if (known && !isRequestedAgain(known, userActivation)) return known;
    if (await tx.objectStore('prompts').get([origin, promptNameOf(requestId)]))
      throw new ServiceError('request-id-reused');
    // What is signed or decrypted for a page, the user looks at: no allowance is for that.
    const allowance = options.cryptoOperations
      ? undefined
      : await tx.objectStore('allowances').get(allowanceKeyOf({ origin, options, automatic }));
    const asking = !(allowance && (automatic ? userActivation !== 'embedded' : userActivation === 'new'));
    await (asking ? checkPromptLimits(tx, origin, userActivation) : refuseBlocked(tx, origin));
    if (known) await payments.delete(known.id);
    const record = newPayment({
      requestId,
      origin,
      options,
      state: 'requested',
      automatic,
      asking,
      ...(wanted && { wanted }),
      service: service ?? null,
    });
    await payments.add(record);
    await dropOldest(tx, origin);
    return record;
  });
}

/** A page that was left while it asked comes back, and a person swipes again: that is a new wish under the old id. */
function isRequestedAgain({ state, error }: PaymentRecord, userActivation: UserActivation): boolean {
  return userActivation === 'new' && state === 'refused' && error?.code === 'page-gone';
}

/**
 * Puts a payment before the user that no allowance pays after all. Where no window is free for it, it leaves nothing.
 */
function turnToUser(id: string, userActivation: UserActivation): Promise<void> {
  const current = turning.get(id);
  if (current) return current;
  const turn = turnOnce(id, userActivation).finally(() => turning.delete(id));
  turning.set(id, turn);
  return turn;
}

async function turnOnce(id: string, userActivation: UserActivation): Promise<void> {
  const error = await inTransaction(async (tx) => {
    const payments = tx.objectStore('payments');
    const record = await payments.get(id);
    if (record?.state !== 'requested' || record.asking) return null;
    try {
      await checkPromptLimits(tx, record.origin, userActivation);
      await payments.put({ ...record, asking: true });
      return null;
    } catch (refusal) {
      await payments.delete(id);
      return refusal;
    }
  });
  signalChange(id);
  if (error !== null) throw error;
  const record = await readPayment(id);
  if (record?.state === 'requested') await show(record);
}

async function quote(record: PaymentRecord): Promise<PaymentRecord | null> {
  dataOutput(record.options.opReturn);
  const { network } = await readSettings();
  const by: { rate?: Rate } = {};
  const { outputs, operations } = await withOperations(record.options, record.origin);
  const resolved = await resolveOutputs(
    outputs,
    network,
    async (currency) => {
      by.rate = await rateOf(currency);
      return by.rate.price;
    },
    record.origin,
  );
  const amountUsd = await inDollars(resolved.satoshis);
  return transition(record.id, 'requested', async ({ asking }, tx) => {
    if (asking) await checkWindowLimit(tx);
    return { quote: { ...resolved, ...by, amountUsd }, operations };
  });
}

/** Waits until a payment can be answered, pushing it on where it hangs. */
async function answerOf(id: string, userActivation: UserActivation): Promise<Answer> {
  await offerAgain(id);
  const before = (await readPayment(id))?.delivery.attempts ?? 0;
  void processPayment(id);
  for (;;) {
    const change = nextChange(id);
    const record = await readPayment(id);
    if (!record) throw new ServiceError('not-paid'); // another document's wait for it has found no window free
    if (isAnswerable(record)) {
      await reportedOrLate(id);
      return answer((await readPayment(id)) ?? record);
    }
    if (record.state === 'requested' && !record.asking) {
      // Its pages may have gone while it was being paid from an allowance: no window opens for nobody.
      if (waiting.get(id)?.size) await turnToUser(id, userActivation);
      else await endAsked(id, 'page', new ServiceError('page-gone'));
      continue;
    }
    const { attempts } = record.delivery;
    if (record.state === 'signed' && (record.trouble === 'refused' || record.replacedBy))
      throw new ServiceError('payment-contested');
    if (record.state === 'signed' && attempts >= PATIENCE_ATTEMPTS && attempts > before)
      throw new ServiceError(record.trouble === 'contested' ? 'payment-contested' : 'payment-pending');
    await change;
  }
}

/** Slow services hold the page's answer up for two seconds at most, and one try each. */
async function reportedOrLate(id: string): Promise<void> {
  const hasAccount = (await readKey('account')) !== undefined;
  const before = await readPayment(id);
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), 2000));
  for (;;) {
    const change = nextChange(id); // may be that of a recipient's host alone
    const record = await readPayment(id);
    const own = hasAccount && record?.report === 'waiting' && record.delivery.attempts === before?.delivery.attempts;
    const other =
      record?.serviceReport?.state === 'waiting' && record.serviceReport.attempts === before?.serviceReport?.attempts;
    if ((!own && !other) || (await Promise.race([change, late])) === 'late') return;
  }
}

async function answer(record: PaymentRecord): Promise<Answer> {
  if (record.error) throw new ServiceError(record.error.code, { message: record.error.message });
  return { payment: paymentObject(record, await readKey('account')), token: record.token };
}
