/** What an account's wallet gets back of its past when it is restored: what it reported, and what came in by paymail. */
import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import { MAX_PAYMAIL } from '../../protocol/limits.ts';
import { MOST_RECORDS, type ReceivedRecord, type SentRecord } from '../../protocol/records.ts';
import { metadataOf } from '../../protocol/metadata.ts';
import type { Database } from '../database/connect.ts';
import { paymailDestinations, paymentOutputs, payments, receivedTransactions } from '../database/schema.ts';
import { worthOf } from './worth.ts';

/** Scripts of one recipient that are longer together are left out: the wallet then keeps to the chain. Characters. */
const LONGEST_SCRIPTS = 10_000;
/** Most deliveries of those transactions: one pays an account several times, in rare cases. */
const MOST_DELIVERIES = 4 * MOST_RECORDS;

/**
 * What the account reported of these transactions. Data and long scripts are left out.
 * @param txids {@link MOST_RECORDS} at most
 */
export async function sentRecords(db: Database, userId: number, txids: readonly string[]): Promise<SentRecord[]> {
  const { id, txid, origin, clientIdentifier, satoshis, currency, currencyRate } = payments;
  const { label, buttonId, buttonData, refundOf, payerNote } = payments;
  const worth = { satoshis, currency, currencyRate };
  const found = await db
    .select({ id, txid, origin, clientIdentifier, ...worth, label, buttonId, buttonData, refundOf, payerNote })
    .from(payments)
    .where(
      and(eq(payments.userId, userId), inArray(txid, [...txids]), payments.reported, ne(payments.status, 'FAILED')),
    );
  if (found.length === 0) return [];
  const { paymentId, type, to, scripts, position } = paymentOutputs;
  const outputs = await db
    .select({
      paymentId,
      type,
      to: sql<string>`case when ${type} = 'SCRIPT' then '' else left(${to}, ${MAX_PAYMAIL}) end`,
      scripts: sql<SentRecord['outputs'][number]['scripts']>`case when length(${scripts}::text) <= ${LONGEST_SCRIPTS}
        then ${scripts} else '[]'::jsonb end`,
    })
    .from(paymentOutputs)
    .where(
      inArray(
        paymentId,
        found.map((one) => one.id),
      ),
    )
    .orderBy(asc(position));
  return found.map((payment) => ({
    txid: payment.txid,
    origin: payment.origin,
    clientIdentifier: payment.clientIdentifier,
    serviceAmount: worthOf(payment.satoshis, payment),
    currency: payment.currency,
    ...metadataOf(payment),
    outputs: outputs
      .filter((output) => output.paymentId === payment.id)
      .map((output) => ({
        type: output.type,
        to: output.to,
        scripts: output.scripts
          .filter((one) => one.script.length <= 1000)
          .map((one) => ({ script: one.script, satoshis: one.satoshis })),
      })),
  }));
}

/** What of these transactions came in by the account's paymail, whether its wallet has acknowledged it or not. */
export async function receivedRecords(
  db: Database,
  userId: number,
  txids: readonly string[],
): Promise<ReceivedRecord[]> {
  const { txid, sender, senderVerified, note, reference, sequence } = receivedTransactions;
  const found = await db
    .select({ txid, sender, senderVerified, note, outputs: paymailDestinations.outputs })
    .from(receivedTransactions)
    .innerJoin(paymailDestinations, eq(paymailDestinations.reference, reference))
    .where(and(eq(receivedTransactions.userId, userId), inArray(txid, [...txids])))
    .orderBy(desc(sequence))
    .limit(MOST_DELIVERIES);
  return found.map(({ outputs, ...one }) => ({
    ...one,
    scripts: outputs.map(({ script, satoshis }) => ({ script, satoshis })),
  }));
}
