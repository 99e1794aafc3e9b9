/** Stores transactions received at this service's destinations until the recipient's wallet acknowledges them. */
import { randomUUID } from 'node:crypto';
import { and, count, eq, not } from 'drizzle-orm';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { satoshisToBsv } from '../../protocol/money/money.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments, receivedTransactions, type DeliveryClaim } from '../database/schema.ts';
import type { User } from '../identity/accounts.ts';
import { markPaid } from '../destinations/addresses.ts';
import { shareOutput, type Destination } from '../destinations/destinations.ts';
import { findDelivery, hasRival, holdDestination, openClaims } from '../destinations/claims.ts';
import { paysAll } from '../destinations/pays.ts';
import { checkAgain } from '../payments/failed-checks.ts';
import { lockTransaction } from '../payments/transaction-lock.ts';
import { indexPayment } from '../payments/search/search-index.ts';
import { findPayment, type StoredPayment } from '../payments/stored-payment.ts';
import { enqueueMissedEvents, enqueuePaymentEvent } from '../webhooks/outbox.ts';
import { arrivals } from './arrivals.ts';

/** Maximum total bytes of a transaction's copies, one per separate payment. Payments in a report share one copy. */
const MAX_COPIES_BYTES = 50_000_000;

/** A delivered transaction, validated and accepted by the network. */
export interface ReceivedNow {
  user: User;
  paymail: string;
  reference: string;
  txid: string;
  normalizedTxid: string;
  rawtx: Uint8Array;
  outputs: Transaction['outputs'];
  /** The claimed sender. `senderVerified` is true if the paymail's own host confirms the sender. */
  sender: string | null;
  senderVerified: boolean;
  note: string | null;
}

/**
 * Stores a transaction that paid a destination, along with its payment and webhook event, in one database transaction.
 * The payment is the one in the sender's report if the report names this destination, otherwise a separate one. If
 * other open destinations have the same script and value, the sender is unknown until the payer's report arrives.
 * @returns 'known' if the same outputs already paid this destination, in which case only a missing sender is added
 * @throws ServiceError `payment-conflict` (another transaction has paid the destination), `unknown-reference`,
 * `payment-mismatch`, `too-large` (a large transaction that has paid many unreported destinations)
 */
export async function storeReceived(db: Database, received: ReceivedNow, now: Date): Promise<'stored' | 'known'> {
  const { user, reference, txid, normalizedTxid, sender, senderVerified, note } = received;
  const claim: DeliveryClaim = { reference, sender, senderVerified, note };
  const result = await db.transaction(async (tx) => {
    await lockTransaction(tx, normalizedTxid);
    const destination = await holdDestination(tx, { ...received, userId: user.id });
    const known = await findDelivery(tx, received);
    if (known) {
      if (known.sender === null) await addClaim(tx, known, claim);
      // The network has just accepted it, possibly after the last check of the failed payment.
      if (known.hasFailed) await checkAgain(tx, known.paymentId, now);
      return 'known';
    }
    const open = await openClaims(tx, { userId: user.id, normalizedTxid });
    if (
      !paysAll(
        received,
        [destination, ...open].flatMap(({ outputs }) => outputs),
      )
    ) {
      // These outputs are already stored for another delivery. Either delivery might be the payer's.
      const rival = open.find((one) => shareOutput(one, destination));
      if (rival) await addClaim(tx, rival, claim);
      return 'known';
    }
    const reported = await reportedPayment(tx, normalizedTxid, reference);
    // If a failed payment is mined after all, markPaidAfterAll marks its addresses.
    if (reported?.payment.status !== 'FAILED')
      await markPaid(
        tx,
        user.id,
        destination.outputs.map(({ index }) => index),
      );
    const isInDoubt =
      !reported && (destination.maybePaid || (await hasRival(tx, { ...received, userId: user.id }, destination)));
    const shown = isInDoubt ? { ...received, sender: null, senderVerified: false, note: null } : received;
    const stored = reported ?? (await insertOwnPayment(tx, shown, destination, now));
    const { id: paymentId, createdAt: paymentCreatedAt } = stored.payment;
    // The user's row is locked, so the user's sequence numbers become visible in order.
    await tx.insert(receivedTransactions).values({
      id: reported ? randomUUID() : paymentId,
      reference,
      userId: user.id,
      txid,
      paymentId,
      paymentCreatedAt,
      sender: shown.sender,
      senderVerified: shown.senderVerified,
      note: shown.note,
      claims: isInDoubt ? [claim] : null,
      createdAt: now,
    });
    if (reported) {
      await indexPayment(tx, paymentId);
      await enqueueMissedEvents(tx, stored, now);
    } else await enqueuePaymentEvent(tx, stored, 'payment.received', now);
    return 'stored';
  });
  if (result === 'stored') arrivals(db).announce(user.id);
  return result;
}

/** Maximum candidate deliveries stored per transaction until its sender is known. */
const MAX_CLAIMS = 20;

/**
 * Records a claimed sender for a transaction whose sender is unknown. If the payer is ambiguous, the sender is only a
 * candidate.
 */
async function addClaim(
  tx: Database,
  row: Pick<typeof receivedTransactions.$inferSelect, 'id' | 'claims'> & { paymentId?: string },
  claim: DeliveryClaim,
): Promise<void> {
  const { reference, ...from } = claim;
  if (from.sender === null && from.note === null) return;
  const others = row.claims?.filter((one) => one.reference !== reference);
  if (others && others.length >= MAX_CLAIMS) return;
  await tx
    .update(receivedTransactions)
    .set(others ? { claims: [...others, claim] } : from)
    .where(eq(receivedTransactions.id, row.id));
  if (!others && row.paymentId !== undefined) await indexPayment(tx, row.paymentId);
}

/** Returns the sender's report of this transaction if it names this destination, with its row locked. */
async function reportedPayment(tx: Database, normalizedTxid: string, reference: string): Promise<StoredPayment | null> {
  const [found] = await tx
    .select({ id: payments.id })
    .from(payments)
    .innerJoin(paymentOutputs, eq(paymentOutputs.paymentId, payments.id))
    .where(and(eq(payments.normalizedTxid, normalizedTxid), payments.reported, eq(paymentOutputs.reference, reference)))
    .for('no key update', { of: payments });
  return found ? findPayment(tx, found.id) : null;
}

/** Inserts a payment from an unknown sender. It contains only the destination's requested outputs. */
async function insertOwnPayment(
  tx: Database,
  received: ReceivedNow,
  destination: Destination,
  now: Date,
): Promise<StoredPayment> {
  const { user, paymail, reference, txid, normalizedTxid, rawtx, sender, senderVerified } = received;
  const { satoshis } = destination;
  const [kept] = await tx
    .select({ n: count() })
    .from(payments)
    .where(and(eq(payments.normalizedTxid, normalizedTxid), not(payments.reported)));
  if (((kept?.n ?? 0) + 1) * rawtx.length > MAX_COPIES_BYTES) throw new ServiceError('too-large');
  const amount = satoshisToBsv(satoshis);
  const [payment] = await tx
    .insert(payments)
    .values({
      id: randomUUID(),
      userId: null,
      senderPaymail: senderVerified ? sender : null,
      reported: false,
      txid,
      normalizedTxid,
      rawtx,
      amount,
      currency: 'BSV',
      satoshis,
      status: 'RECEIVED',
      createdAt: now,
      updatedAt: now,
      nextCheckAt: now,
    })
    .returning();
  if (!payment) throw new ServiceError('internal', { detail: 'a payment was not inserted' });
  const outputs = await tx
    .insert(paymentOutputs)
    .values({
      paymentId: payment.id,
      position: 0,
      type: 'PAYMAIL',
      to: paymail,
      paymail,
      amount,
      currency: 'BSV',
      satoshis,
      scripts: destination.outputs.map(({ script, satoshis: value }) => ({ script, satoshis: value })),
      reference,
      recipientId: user.id,
    })
    .returning();
  return { payment, outputs };
}
