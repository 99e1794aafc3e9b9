/** Starts a payment from any source: creates and stores its record and prompt, once per request ID. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
import { deleteReceipt } from '../coins/receipts/receipts.ts';
import { checkPromptLimits, promptIn, putPrompt, type PromptKey } from '../prompts/store.ts';
import { OWN } from '../sites/site.ts';
import { refuseBlocked } from '../sites/store.ts';
import type { WriteTransaction } from '../store/database.ts';
import { movePayment, type Change } from './move.ts';
import { unfinishedOf } from './remaining-work.ts';
import { addPayment, paymentOfRequest, putPayment } from './store.ts';
import { dropOldest } from './prune.ts';
import type { PaymentRecord, PaymentRequest, Report } from './record.ts';
import type { Wallet } from '../platform.ts';
import type { PromptState } from '../prompts/prompt.ts';
import { NOT_TRIED } from './retry.ts';

/** Creates a payment from the wallet to itself, approved by the user's click or by an earlier approval. */
export function ownPayment(
  wallet: Wallet,
  name: 'cancel' | 'move' | 'split' | 'sweep',
  more: Partial<PaymentRecord> = {},
): PaymentRecord {
  return newPayment(wallet, {
    requestId: `${name} ${wallet.randomUUID()}`,
    origin: OWN,
    options: { outputs: [] },
    state: 'approved',
    approvedAt: wallet.now(),
    quote: { outputs: [], amount: '0', currency: 'BSV', satoshis: 0n },
    report: newReport('none'),
    ...more,
  });
}

/**
 * Stores the prompt of a site's new payment or request, within the transaction that stores the payment or request.
 * @param hasWindow false if an allowance may pay, in which case the prompt is withheld
 * @param isQuoted false while the request is being quoted. The prompt can't be shown yet, but counts toward the window
 * limit
 * @throws ServiceError `site-blocked`; with a window also `busy`, `too-many-requests`
 */
export async function startPrompt(
  wallet: Wallet,
  tx: WriteTransaction,
  request: Pick<PaymentRequest, 'id' | 'origin' | 'createdAt'>,
  { hasWindow, isQuoted, userActivation }: { hasWindow: boolean; isQuoted: boolean; userActivation: UserActivation },
): Promise<void> {
  const { origin } = request;
  await (hasWindow ? checkPromptLimits(wallet, tx, origin, userActivation) : refuseBlocked(wallet, tx, origin));
  await putPaymentPrompt(wallet, tx, request, !hasWindow ? 'withheld' : isQuoted ? 'awaitingDecision' : 'preparing');
  await dropOldest(tx, origin);
}

interface How {
  /**
   * True if an earlier payment with the same request ID has failed, in which case the ID can be used again. Defaults to
   * false.
   */
  isOver?: (known: PaymentRecord) => boolean;
  /** The change to apply, for a payment that is signed before it is stored. */
  signed?: Change;
}

/**
 * Stores a new payment within the caller's database transaction, unless the site has one with the same request ID.
 * @returns the stored payment: the new one, or the existing one, which has a different ID
 * @throws ServiceError `internal` if it awaits a decision but has no prompt
 */
export async function startPayment(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  { isOver, signed }: How = {},
): Promise<PaymentRecord> {
  const known = await paymentOfRequest(tx, record.origin, record.requestId);
  if (known && !isOver?.(known)) return known;
  if (known) await putPayment(wallet, tx, known, { requestId: `${known.requestId} ${known.id}` });
  const started = signed ? movePayment(record, signed) : record;
  if (started.state === 'requested' && !(await promptIn(tx, promptKeyOf(started))))
    throw new ServiceError('internal', { detail: 'requested payment without a prompt' });
  // A restored wallet may have found the transaction on the chain and stored it as a receipt.
  if (started.signed) await deleteReceipt(tx, started.signed.txid);
  await addPayment(tx, started);
  return started;
}

/** A split required by an action: the size of the piece and the fee, in satoshis. */
export interface SplitFirst {
  satoshis: bigint;
  feeSatoshis: bigint;
}

/**
 * The data stored for a payment's window: the fee (including a split's) and the reserved amount, in satoshis, and
 * whether the window warns of a double payment.
 */
export interface PaymentPromptDetails {
  feeSatoshis: bigint | null;
  setAside?: bigint;
  splitFirst?: SplitFirst;
  /** True if the action needs all of the user's money. */
  takesLast?: true;
  mayPayTwice?: true;
}

export const promptKeyOf = ({ origin, id }: Pick<PaymentRequest, 'origin' | 'id'>): PromptKey => ({
  origin,
  message: id,
});

/**
 * Stores the prompt of a payment, `withheld` while an allowance may pay. The prompt has the time of the page's request,
 * so an earlier worker's prompt is withdrawn unless a page still waits for it.
 */
export async function putPaymentPrompt(
  wallet: Wallet,
  tx: WriteTransaction,
  request: Pick<PaymentRequest, 'id' | 'origin' | 'createdAt'>,
  state: PromptState,
): Promise<void> {
  await putPrompt<PaymentPromptDetails>(
    wallet,
    tx,
    'payment',
    promptKeyOf(request),
    { feeSatoshis: null },
    state,
    request.createdAt,
  );
}

export const newReport = (state: Report['state']): Report => ({ state, ...NOT_TRIED });

export function newPayment(
  wallet: Wallet,
  given: Pick<PaymentRecord, 'requestId' | 'origin' | 'options' | 'state' | 'quote'> & Partial<PaymentRecord>,
): PaymentRecord {
  const now = wallet.now();
  const record: PaymentRecord = {
    id: wallet.randomUUID(),
    createdAt: now,
    updatedAt: now,
    automatic: false,
    feeLimit: null,
    allowance: null,
    grant: null,
    token: null,
    approvedAt: null,
    signed: null,
    error: null,
    broadcast: NOT_TRIED,
    confirmation: NOT_TRIED,
    report: newReport('waiting'),
    service: null,
    serviceReport: null,
    deliveries: [],
    operations: null,
    height: null,
    trouble: null,
    seenAt: null,
    replacedBy: null,
    ended: null,
    unfinished: 0,
    ...given,
  };
  return { ...record, unfinished: unfinishedOf(record) };
}
