/** How every payment begins, whatever its source: its record and prompt are made and stored here, once for each name. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
import { deleteReceipt } from '../coins/receipts/receipts.ts';
import { checkPromptLimits } from '../prompts/limits.ts';
import { promptIn, putPrompt, type PromptKey } from '../prompts/store.ts';
import { OWN } from '../sites/site.ts';
import { refuseBlocked } from '../sites/store.ts';
import type { WriteTransaction } from '../store/database.ts';
import { movePayment, type Change, unfinishedOf } from './move.ts';
import { dropOldest, addPayment, paymentOfRequest, putPayment } from './store.ts';
import type { PaymentRecord, PaymentRequest, Report } from './record.ts';
import type { Wallet } from '../platform.ts';
import type { PromptState } from '../prompts/prompt.ts';
import { NOT_TRIED } from './retry.ts';

/** A payment of the wallet's own that pays nobody else, approved by the user's click or by an earlier approval. */
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
 * Stores the prompt of a site's new payment, or of its request, within the transaction that stores that.
 * @param hasWindow false while an allowance may pay it: it is withheld
 * @param isQuoted false if it counts among the windows before there is anything to show
 * @throws ServiceError `site-blocked`; of one with a window also `busy`, `too-many-requests`
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
  /** Whether an earlier payment of that name has failed and gives it up. By default, that is the same payment. */
  isOver?: (known: PaymentRecord) => boolean;
  /** The event with which it is stored, for a payment that is signed before anything is stored. */
  signed?: Change;
}

/**
 * Stores a new payment within a larger transaction, unless its site has one of that name.
 * @returns the stored payment: the given one, or that of the same name, which has another id
 * @throws ServiceError `internal` if it awaits a decision and has no prompt
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
    throw new ServiceError('internal', { detail: 'a requested payment without a prompt' });
  // The receipt that a restored wallet had made from the chain.
  if (started.signed) await deleteReceipt(tx, started.signed.txid);
  await addPayment(tx, started);
  return started;
}

/** A split of a coin that an action needs first: satoshis of the piece, and its fee. */
export interface SplitFirst {
  satoshis: bigint;
  feeSatoshis: bigint;
}

/**
 * The stored details for its window: the fee (including a split's) and the coins that it reserves, in satoshis, and
 * whether it warns that the payment may be made twice.
 */
export interface PaymentPromptDetails {
  feeSatoshis: bigint | null;
  setAside?: bigint;
  splitFirst?: SplitFirst;
  /** The action needs all of the user's money. */
  takesLast?: true;
  mayPayTwice?: true;
}

export const promptKeyOf = ({ origin, id }: Pick<PaymentRequest, 'origin' | 'id'>): PromptKey => ({
  origin,
  message: id,
});

/**
 * Stores the prompt of a payment: `withheld` while an allowance may still pay it. It keeps the time of the page's
 * request, so that an earlier worker's prompt is withdrawn unless a page still waits for it.
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
