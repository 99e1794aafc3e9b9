/** Handles a page's payment request: quotes it, then pays from an allowance or prompts the user. Idempotent. */
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import type { Payment, PaymentOptions } from '../../../../protocol/payments/payment.ts';
import { readTransaction, inTransaction, hasKey, readKey, database } from '../../../store/database.ts';
import { beforeAnnouncing, signalChange } from '../../../events.ts';
import { isAwaited, isClientGone, shared, waitAs, withdraw } from '../../../prompts/request.ts';
import {
  checkPromptLimits,
  promptIn,
  readPrompt,
  removePrompt,
  updatePrompt,
  sameOptions,
} from '../../../prompts/store.ts';
import { showPrompt } from '../../../prompts/show.ts';
import { isUnstored, processPayment, offerAgain } from '../../runner/runner.ts';
import { payOrPrompt } from './from-allowance.ts';
import { isStopped, outcomeOf, stuckCode, unlessEnded } from '../../outcome.ts';
import { noteKnownPaid } from '../../network/replace.ts';
import type { PaymentRecord } from '../../record.ts';
import { isAnswerable, statusOf } from '../../move.ts';
import { promptKeyOf } from '../../start.ts';
import { quotedPayment, type RequestContext } from './quoting.ts';
import type { UserActivation } from '../../../../protocol/messages/page-messages.ts';
import { readPayment, deletePayment, hasRequest, paymentOfRequest, requestOf } from '../../store.ts';
import type { Timer, Wallet } from '../../../platform.ts';
import { metadataOf } from '../../../../protocol/payments/metadata.ts';
import type { Account } from '../../../../protocol/messages/wallet-messages.ts';
import { resultOf } from '../../../crypto-operations/outcome.ts';

const PENDING_WITHOUT_ROOM =
  'This computer’s disk is full. The payment is signed, and will be completed once there is space. Don’t pay again.';

/** The response to the page: the payment, and the token of an allowance granted with it. */
export interface PaymentResponse {
  payment: Payment;
  token: string | null;
}

/**
 * Pays a page's request, once, and returns the payment object when the network has the transaction.
 * @param client identifies the requesting document. If the document is unloaded, an undecided payment is withdrawn
 * @throws ServiceError see docs/errors.md
 */
export async function requestPayment(
  wallet: Wallet,
  origin: string,
  requestId: string,
  options: PaymentOptions,
  client: object,
  context: RequestContext,
): Promise<PaymentResponse> {
  if (!(await hasKey(wallet, 'vault'))) throw new ServiceError('wallet-not-set-up');
  const record = await shared(wallet, `request ${origin} ${requestId}`, () =>
    beforeAnnouncing(wallet, () => quoteAndPay(wallet, origin, requestId, options, context)),
  );
  if (!sameOptions(record.options, options) || namesOtherUsers(record, context))
    throw new ServiceError('request-id-reused');
  const wait = () =>
    waitAs(wallet, promptKeyOf(record), client, () => advanceAndRespond(wallet, record, context.userActivation));
  const paid = await (record.state === 'signed' ? beforeAnnouncing(wallet, wait) : wait());
  recordResponse(wallet, record.id, client);
  return paid;
}

/**
 * Waits for the outcome of a payment requested by a page of this origin. Broadcasts nothing, doesn't prompt, and keeps
 * no prompt open.
 * @param known code of the error that the page has already received
 * @throws ServiceError `not-found` if the origin has no such payment; the reason if it ended unpaid; `payment-pending`
 * or `payment-contested` if `known` is a different code
 */
export async function paymentOutcome(
  wallet: Wallet,
  origin: string,
  requestId: string,
  client: object,
  known?: string,
): Promise<PaymentResponse> {
  const tx = readTransaction(await database(wallet));
  const found = (await paymentOfRequest(tx, origin, requestId)) ?? (await requestOf(tx, origin, requestId));
  if (!found) throw new ServiceError('not-found');
  const { id } = found;
  const paid = await waitForResponse(wallet, id, async (record) => {
    const stuck = record && stuckCode(record);
    if (stuck && stuck !== known) throw new ServiceError(stuck);
    if (!record && !(await hasRequest(readTransaction(await database(wallet)), id)) && !(await readPayment(wallet, id)))
      throw new ServiceError('not-found');
  });
  recordResponse(wallet, id, client);
  return paid;
}

/** Records that the page got the response. If the worker stops before that, the double-payment warning remains. */
function recordResponse(wallet: Wallet, id: string, client: object): void {
  if (!isClientGone(wallet, client)) void noteResponse(wallet, id).catch(() => undefined);
}

async function noteResponse(wallet: Wallet, id: string): Promise<void> {
  const record = await readPayment(wallet, id);
  if (record) await noteKnownPaid(wallet, record);
}

/** True if the request names the same user IDs at a different service, where they belong to other people. */
function namesOtherUsers({ service, quote }: PaymentRecord, context: RequestContext): boolean {
  return service !== (context.service ?? null) && quote.outputs.some(({ type }) => type === 'USER');
}

/**
 * Returns the stored payment for a request, or creates it. The payment is then signed, shown to the user, waiting to be
 * shown, or ended.
 */
async function quoteAndPay(
  wallet: Wallet,
  origin: string,
  requestId: string,
  options: PaymentOptions,
  context: RequestContext,
): Promise<PaymentRecord> {
  const record = await quotedPayment(wallet, origin, requestId, options, context);
  if (record.state !== 'requested') return record;
  return (await payOrPrompt(wallet, record, context)) ?? (await readPayment(wallet, record.id)) ?? record;
}

/**
 * Prompts the user for a requested payment that no allowance pays. If the pages that requested it have been closed,
 * withdraws the payment without opening a window.
 */
export async function promptIfWithheld(
  wallet: Wallet,
  record: PaymentRecord,
  userActivation: UserActivation,
): Promise<void> {
  const key = promptKeyOf(record);
  if (record.state !== 'requested' || (await readPrompt(wallet, key))?.state !== 'withheld') return;
  if (isAwaited(wallet, key))
    await shared(wallet, `turn ${record.id}`, () => showWithheld(wallet, record, userActivation));
  else await withdraw(wallet, key);
}

/** Shows the prompt. Deletes the payment if no window is available. */
async function showWithheld(wallet: Wallet, record: PaymentRecord, userActivation: UserActivation): Promise<void> {
  const key = promptKeyOf(record);
  const error = await inTransaction(wallet, async (tx) => {
    const prompt = await promptIn(tx, key);
    if (prompt?.state !== 'withheld') return null;
    try {
      await checkPromptLimits(wallet, tx, record.origin, userActivation);
      await updatePrompt(tx, prompt, { event: 'show' });
      return null;
    } catch (refusal) {
      await deletePayment(tx, record.id);
      await removePrompt(tx, key);
      return refusal;
    }
  });
  signalChange(wallet, record.id);
  if (error !== null) throw error;
  await showPrompt(wallet, key);
}

/** Waits until a payment has a final response, and submits a refused payment again. */
async function advanceAndRespond(
  wallet: Wallet,
  known: PaymentRecord,
  userActivation: UserActivation,
): Promise<PaymentResponse> {
  const { id } = known;
  const before = await offerAgain(wallet, known);
  void processPayment(wallet, id);
  return waitForResponse(wallet, id, async (read) => {
    const record = unlessEnded(read);
    await promptIfWithheld(wallet, record, userActivation);
    if (record.state === 'signed' && isUnstored(wallet, id) && !isStopped(record))
      throw new ServiceError('payment-pending', { message: PENDING_WITHOUT_ROOM });
    const stuck = stuckCode(record, before);
    if (stuck) throw new ServiceError(stuck);
  });
}

/** Maximum time that slow services can delay the page's response, in milliseconds. */
const MAX_REPORT_WAIT_MS = 2000;

/**
 * Waits until the page's response is final and each report has been attempted once.
 * @param check called with the payment while its response isn't final. If `check` throws, the wait ends with its error
 */
async function waitForResponse(
  wallet: Wallet,
  id: string,
  check: (record: PaymentRecord | undefined) => Promise<void>,
): Promise<PaymentResponse> {
  let since: PaymentRecord | undefined;
  let isLate = false;
  let timer: Timer | undefined;
  try {
    return await outcomeOf(wallet, id, async (record) => {
      if (!since && !(record && isAnswerable(record))) {
        await check(record);
        return undefined;
      }
      const now = unlessEnded(record ?? since);
      since ??= now;
      timer ??= wallet.setTimeout(() => {
        isLate = true;
        signalChange(wallet, id);
      }, MAX_REPORT_WAIT_MS);
      return isLate || !(await isAwaitingReport(wallet, now, since)) ? responseOf(wallet, now) : undefined;
    });
  } finally {
    wallet.clearTimeout(timer);
  }
}

/** True if a due report has not been attempted since `since`. */
async function isAwaitingReport(wallet: Wallet, record: PaymentRecord, since: PaymentRecord): Promise<boolean> {
  const isUntried = (of: 'report' | 'serviceReport') =>
    record[of]?.state === 'waiting' && record[of].attempts === since[of]?.attempts && record[of].nextAt <= wallet.now();
  return isUntried('serviceReport') || (isUntried('report') && (await readKey(wallet, 'account')) !== undefined);
}

async function responseOf(wallet: Wallet, record: PaymentRecord): Promise<PaymentResponse> {
  return { payment: paymentObject(unlessEnded(record), await readKey(wallet, 'account')), token: record.token };
}

/** Returns the payment object of a signed payment. `account` is the sender's account at the service. */
export function paymentObject(record: PaymentRecord, account: Pick<Account, 'id' | 'paymail'> | undefined): Payment {
  const { id, options, quote, signed } = record;
  if (!signed) throw new ServiceError('internal', { detail: `payment ${id} has no transaction` });
  const outputs = quote.outputs.map(({ scripts, host, ...output }) => output);
  return {
    id,
    ...metadataOf(options),
    status: statusOf(record),
    txid: signed.txid,
    normalizedTxid: signed.normalizedTxid,
    amount: quote.amount,
    currency: quote.currency,
    satoshis: quote.satoshis.toString(),
    outputs,
    paymentOutputs: outputs,
    cryptoOperations: (record.operations ?? []).map(resultOf),
    userId: account?.id ?? null,
    senderPaymail: account?.paymail ?? null,
    amountUsd: quote.amountUsd ?? null,
    rawtx: signed.rawtx,
  };
}
