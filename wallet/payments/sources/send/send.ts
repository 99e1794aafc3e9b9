/**
 * Pays a quote from the wallet's own window. The payment is an ordinary one, except that its origin is the wallet and
 * it isn't reported to the service.
 */
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import type { SendOutput, SendResult, WalletParams } from '../../../../protocol/messages/wallet-messages.ts';
import { MAX_AGE_MS } from '../../../chain/rates.ts';
import { inTransaction, readKey, readTransaction, database } from '../../../store/database.ts';
import { outputOf, quoteOf, recipientOf } from '../../../recipients/resolve.ts';
import { vaultStatus } from '../../../vault/vault.ts';
import { announceChange } from '../../../events.ts';
import type { Draft } from '../../plan/draft.ts';
import { cachedDraft } from '../../plan/kept-draft.ts';
import { isStopped, outcomeOf, unlessEnded } from '../../outcome.ts';
import { mayPayTwice } from '../../network/replace.ts';
import { isUnstored, processPayment, offerAgain } from '../../runner/runner.ts';
import { returnDestinations, obtainDestination, type CachedDestination } from './kept-destinations.ts';
import type { PaymentRecord } from '../../record.ts';
import { isAnswerable } from '../../move.ts';
import { sendRecord } from './send-quote.ts';
import type { Quote } from '../../../recipients/quote.ts';
import { OWN } from '../../../sites/site.ts';
import { paymentOfRequest } from '../../store.ts';
import { startPayment } from '../../start.ts';
import type { Wallet } from '../../../platform.ts';

/**
 * Pays a quote, once, and returns when the network has the transaction or the first broadcast has failed. A call with
 * the same request ID returns the same payment.
 * @throws ServiceError `wallet-not-set-up`, `wallet-locked`, `approval-expired` (the quote, or a host's response for
 * it, is too old), `fee-changed`, `insufficient-funds`, `amount-too-many-coins`, `network-unavailable`,
 * `request-id-reused`; `invalid-recipient`, `unknown-recipient`, `unsupported-recipient`, `paymail-unavailable`,
 * `paymail-mismatch`; the errors with which a payment ends: `not-paid`, `network-rejected`, `payment-contested` (the
 * network refused it, but may still accept it)
 */
export async function paySend(wallet: Wallet, wanted: WalletParams<'send/pay'>): Promise<SendResult> {
  if (!(await readKey(wallet, 'vault'))) throw new ServiceError('wallet-not-set-up');
  const known = await paymentOfRequest(readTransaction(await database(wallet)), OWN, wanted.requestId);
  const sent = known ? { record: known } : await storeSent(wallet, await approved(wallet, wanted));
  if (textOf(sent.record.quote) !== textOf(wanted)) throw new ServiceError('request-id-reused');
  return sendResultOf(wallet, sent);
}

/** A payment from the wallet's own window, with its transaction if it was just planned. */
export interface Sent {
  record: PaymentRecord;
  draft?: Draft;
}

/** Creates the payment, already approved by the click. Throws if something prevents it. */
async function approved(
  wallet: Wallet,
  { requestId, outputs, feeSatoshis, time, note = '', mayPayTwice: isTold }: WalletParams<'send/pay'>,
): Promise<Sent> {
  if ((await vaultStatus(wallet)).locked) throw new ServiceError('wallet-locked');
  // If the clock was set back since the quote, the quote's age is unknown.
  if (Math.abs(wallet.now() - time) > MAX_AGE_MS) throw new ServiceError('approval-expired');
  const taken: CachedDestination[] = [];
  try {
    const quote = quoteOf(
      await Promise.all(
        outputs.map(async (output) => {
          const recipient = recipientOf({ to: output.to });
          if (recipient.type !== output.type) throw new ServiceError('invalid-recipient');
          const given = await obtainDestination(wallet, recipient, BigInt(output.satoshis));
          taken.push(given);
          return outputOf(recipient, { ...output, satoshis: given.satoshis }, given.resolved);
        }),
      ),
    );
    // A new response may come from a different host or contain a different key. The wallet doesn't pay a destination
    // that the user hasn't seen.
    if (taken.some(({ unseen }) => unseen)) throw new ServiceError('approval-expired');
    const fee = BigInt(feeSatoshis);
    const record = sendRecord(wallet, quote, {
      requestId,
      state: 'approved',
      approvedAt: wallet.now(),
      feeLimit: fee,
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(isTold && { mayPayTwice: true }),
    });
    // Throws before a failed payment could be stored.
    const draft = await cachedDraft(wallet, record, fee);
    // A new quote shows the warning.
    if (!isTold && (await mayPayTwice(wallet, record, draft.plan))) throw new ServiceError('fee-changed');
    return { record, draft };
  } catch (error) {
    returnDestinations(wallet, taken);
    throw error;
  }
}

/** Stores the payment, unless another click has already stored it. @returns the stored payment */
export async function storeSent(wallet: Wallet, sent: Sent): Promise<Sent> {
  const stored = await inTransaction(wallet, async (tx) => {
    const record = await startPayment(wallet, tx, sent.record);
    return record.id === sent.record.id ? sent : { record };
  });
  announceChange(wallet);
  return stored;
}

/** Serializes the recipients and amounts, to compare them. */
function textOf(of: Quote | { outputs: readonly SendOutput[] }): string {
  return JSON.stringify(of.outputs.map(({ to, amount, currency, satoshis }) => [to, amount, currency, satoshis]));
}

/** Waits until the network has the payment or the first broadcast has failed. */
export async function sendResultOf(wallet: Wallet, { record, draft }: Sent): Promise<SendResult> {
  const { id } = record;
  await offerAgain(wallet, record);
  void processPayment(wallet, id, draft);
  return outcomeOf(wallet, id, (read) => {
    const now = unlessEnded(read);
    if (isStopped(now)) throw new ServiceError('payment-contested');
    const taken = isAnswerable(now);
    if (!now.signed || (!taken && now.broadcast.attempts === 0 && !isUnstored(wallet, id))) return undefined;
    return { id, txid: now.signed.txid, taken };
  });
}
