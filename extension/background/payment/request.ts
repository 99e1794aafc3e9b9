/**
 * A page's request to pay: stored first, then quoted, then put before the user. Asked again, it is the same payment.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import type { Payment, PaymentOptions } from '../../../protocol/payment.ts';
import type { Rate } from '../../../protocol/wallet-messages.ts';
import { inDollars, rateOf } from '../chain/rates.ts';
import { withOperations } from './operations.ts';
import { inTransaction, readKey } from '../database.ts';
import { resolveOutputs } from '../recipients/resolve.ts';
import { readSettings } from '../settings.ts';
import { nextChange, signalChange } from '../events.ts';
import { isAwaited, shared, waitAs, withdraw } from '../prompts/ask.ts';
import { checkPromptLimits, promptPrepared } from '../prompts/limits.ts';
import './approval.ts'; // registers the kind of its prompts
import { showPrompt } from '../prompts/show.ts';
import { promptIn, readPrompt, updatePrompt } from '../prompts/store.ts';
import { dataOutput } from './build.ts';
import { assertServiceForm, checkServiceNetwork } from './button-service.ts';
import { processPayment } from './process.ts';
import { allowanceKeyOf, approveFromAllowance } from './from-allowance.ts';
import { paymentObject } from './payment-object.ts';
import { dropOldest } from './prune.ts';
import { isAnswerable, newPayment, type PaymentRecord } from './record.ts';
import { promptNameOf, sameOptions } from '../prompts/same-options.ts';
import { offerAgain } from './unsent.ts';
import { forgetIn, forgetRequest, promptKeyOf, putPaymentPrompt } from './prompt.ts';
import { readPayment, transition } from './transition.ts';
import { refuseBlocked } from '../sites/store.ts';
import type { UserActivation } from '../../../protocol/page-messages.ts';

/**
 * Failed broadcasts after which the page is told that its payment is pending; at least one since it asked.
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

/**
 * Pays what a page asks for, once, and answers with the payment object when the network has it.
 * @param client identifies the requesting document: when it is unloaded, an undecided payment is withdrawn
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
  const record = await shared(`request ${origin} ${requestId}`, () => begin(origin, requestId, options, manner));
  if (!sameOptions(record.options, options) || namesOtherUsers(record, manner))
    throw new ServiceError('request-id-reused');
  return waitAs(promptKeyOf(record), client, () => answerOf(record, manner.userActivation));
}

/** The same user IDs, of another service: other people. */
function namesOtherUsers({ service, quote }: PaymentRecord, manner: Manner): boolean {
  return service !== (manner.service ?? null) && quote?.outputs.some(({ type }) => type === 'USER') === true;
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
  if (quoted) {
    await showPrompt(promptKeyOf(quoted)); // unless it is withheld
    await approveFromAllowance(quoted, manner.userActivation); // if it is
  }
  return (await readPayment(record.id)) ?? record;
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
async function storeRequest(
  origin: string,
  requestId: string,
  options: PaymentOptions,
  { automatic, userActivation, wanted, service }: Manner,
): Promise<PaymentRecord> {
  const settings = await readSettings();
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
    if (service !== undefined) assertServiceForm(service, settings);
    if (known) await payments.delete(known.id);
    const record = newPayment({
      requestId,
      origin,
      options,
      state: 'requested',
      automatic,
      ...(wanted && { wanted }),
      service: service ?? null,
    });
    await payments.add(record);
    await putPaymentPrompt(tx, record, asking ? 'preparing' : 'withheld');
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
async function turnToUser(record: PaymentRecord, userActivation: UserActivation): Promise<void> {
  const key = promptKeyOf(record);
  const error = await inTransaction(async (tx) => {
    const prompt = await promptIn(tx, key);
    if (prompt?.state !== 'withheld') return null;
    try {
      await checkPromptLimits(tx, record.origin, userActivation);
      await updatePrompt(tx, prompt, { state: 'awaitingDecision' });
      return null;
    } catch (refusal) {
      await forgetIn(tx, record);
      return refusal;
    }
  });
  signalChange(record.id);
  if (error !== null) throw error;
  await showPrompt(key);
}

async function quote(record: PaymentRecord): Promise<PaymentRecord | null> {
  dataOutput(record.options.opReturn);
  const { network } = await readSettings();
  const by: { rate?: Rate } = {};
  const { outputs, operations } = await withOperations(record.options, record.origin);
  const [resolved] = await Promise.all([
    resolveOutputs(
      outputs,
      network,
      async (currency) => {
        by.rate = await rateOf(currency);
        return by.rate.price;
      },
      record.origin,
      record.service,
    ),
    record.service === null ? null : checkServiceNetwork(record.service, record.origin),
  ]);
  const amountUsd = await inDollars(resolved.satoshis);
  return transition(record.id, 'requested', async (_, tx) => {
    await promptPrepared(tx, promptKeyOf(record));
    return { quote: { ...resolved, ...by, amountUsd }, operations };
  });
}

/** Waits until a payment can be answered, pushing it on where it hangs. */
async function answerOf({ id, origin }: PaymentRecord, userActivation: UserActivation): Promise<Answer> {
  const key = promptKeyOf({ id, origin });
  await offerAgain(id);
  const before = (await readPayment(id))?.broadcast.attempts ?? 0;
  void processPayment(id);
  for (;;) {
    const change = nextChange(id);
    const record = await readPayment(id);
    if (!record) throw new ServiceError('not-paid'); // another document's wait for it has found no window free
    if (isAnswerable(record)) {
      await reportedOrLate(id);
      return answer((await readPayment(id)) ?? record);
    }
    if (record.state === 'requested' && (await readPrompt(key))?.state === 'withheld') {
      // Its pages may have been closed while it was being paid from an allowance: then no window opens.
      if (isAwaited(key)) await shared(`turn ${id}`, () => turnToUser(record, userActivation));
      else await withdraw(key);
      continue;
    }
    const { attempts } = record.broadcast;
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
    const isUntried = (of: 'report' | 'serviceReport') =>
      record?.[of]?.state === 'waiting' &&
      record[of].attempts === before?.[of]?.attempts &&
      record[of].nextAt <= Date.now();
    if (
      (!(hasAccount && isUntried('report')) && !isUntried('serviceReport')) ||
      (await Promise.race([change, late])) === 'late'
    )
      return;
  }
}

async function answer(record: PaymentRecord): Promise<Answer> {
  if (record.error) throw new ServiceError(record.error.code, { message: record.error.message });
  return { payment: paymentObject(record, await readKey('account')), token: record.token };
}
