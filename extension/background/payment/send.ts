/**
 * Pays from the wallet's own window, as quoted there. From here on it is an ordinary payment, except that its origin is
 * the wallet and the service isn't notified.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import type { SendOutput, SendResult, WalletParams } from '../../../protocol/wallet-messages.ts';
import { MAX_AGE_MS } from '../chain/agreement.ts';
import { inTransaction, readKey, readTransaction } from '../database.ts';
import { outputOf, quoteOf, recipientOf } from '../recipients/resolve.ts';
import { vaultStatus } from '../vault/vault.ts';
import { announceChange } from '../events.ts';
import { draftPayment } from './build.ts';
import { isStopped, outcomeOf, unlessEnded } from './outcome.ts';
import { mayPayTwice } from './pay-twice.ts';
import { isUnstored, processPayment } from './process.ts';
import { giveBack, takeDestination, type Given } from './kept-destinations.ts';
import { isAnswerable, type PaymentRecord } from './record.ts';
import { sendRecord } from './send-quote.ts';
import { offerAgain } from './unsent.ts';
import type { Quote } from '../recipients/quote.ts';
import { OWN } from '../sites/site.ts';
import { addPayment, paymentOfRequest } from './store.ts';

/**
 * Pays, once, and returns when the network has it or the first attempt has failed. A repeated call with the same id is
 * the same payment.
 * @throws ServiceError `wallet-not-set-up`, `wallet-locked`, `approval-expired` (the quote, or a host's response for
 * it, is too old), `fee-changed`, `insufficient-funds`, `amount-too-many-coins`, `network-unavailable`,
 * `request-id-reused`; `invalid-recipient`, `unknown-recipient`, `unsupported-recipient`, `paymail-unavailable`,
 * `paymail-mismatch`; the errors that a payment ends with: `not-paid`, `network-rejected`, `payment-contested` (the
 * network refuses it, but may still take it)
 */
export async function paySend(wanted: WalletParams<'send/pay'>): Promise<SendResult> {
  if (!(await readKey('vault'))) throw new ServiceError('wallet-not-set-up');
  const known = await paymentOfRequest(await readTransaction(), OWN, wanted.requestId);
  const record = known ?? (await storeSent(await approved(wanted)));
  if (textOf(record.quote) !== textOf(wanted)) throw new ServiceError('request-id-reused');
  await offerAgain(record.id);
  return sendResultOf(record.id);
}

/** The payment, approved by the click that requested it, unless something prevents it. */
async function approved({
  requestId,
  outputs,
  feeSatoshis,
  time,
  note = '',
  mayPayTwice: isTold,
}: WalletParams<'send/pay'>): Promise<PaymentRecord> {
  if ((await vaultStatus()).locked) throw new ServiceError('wallet-locked');
  // If the clock was set back in between, the quote's age is unknown.
  if (Math.abs(Date.now() - time) > MAX_AGE_MS) throw new ServiceError('approval-expired');
  const taken: Given[] = [];
  try {
    const quote = quoteOf(
      await Promise.all(
        outputs.map(async (output) => {
          const recipient = recipientOf({ to: output.to });
          if (recipient.type !== output.type) throw new ServiceError('invalid-recipient');
          const given = await takeDestination(recipient, BigInt(output.satoshis));
          taken.push(given);
          return outputOf(recipient, { ...output, satoshis: given.satoshis }, given.resolved);
        }),
      ),
    );
    // Another host may have responded, for another key, with other scripts. A destination that the user has not seen is
    // not paid.
    if (taken.some(({ unseen }) => unseen)) throw new ServiceError('approval-expired');
    const fee = BigInt(feeSatoshis);
    const record = sendRecord(quote, {
      requestId,
      state: 'approved',
      approvedAt: Date.now(),
      feeLimit: fee,
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(isTold && { mayPayTwice: true }),
    });
    const { plan } = await draftPayment(record, fee); // throws early, so that no failed payment is stored
    // A new quote shows it.
    if (!isTold && (await mayPayTwice(record, plan))) throw new ServiceError('fee-changed');
    return record;
  } catch (error) {
    giveBack(taken);
    throw error;
  }
}

/** Stores it, unless another click was faster. @returns the stored payment */
export async function storeSent(record: PaymentRecord): Promise<PaymentRecord> {
  const stored = await inTransaction(async (tx) => {
    const known = await paymentOfRequest(tx, OWN, record.requestId);
    if (known) return known;
    await addPayment(tx, record);
    return record;
  });
  announceChange();
  return stored;
}

/** A comparable text of the recipients and amounts. */
function textOf(of: Quote | { outputs: readonly SendOutput[] }): string {
  return JSON.stringify(of.outputs.map(({ to, amount, currency, satoshis }) => [to, amount, currency, satoshis]));
}

/** Waits until the network has it, or the first attempt has failed. */
export function sendResultOf(id: string): Promise<SendResult> {
  void processPayment(id);
  return outcomeOf(id, (read) => {
    const record = unlessEnded(read);
    if (isStopped(record)) throw new ServiceError('payment-contested');
    const taken = isAnswerable(record);
    if (!record.signed || (!taken && record.broadcast.attempts === 0 && !isUnstored(id))) return undefined;
    return { id, txid: record.signed.txid, taken };
  });
}
