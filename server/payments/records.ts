/** Records for a restored wallet: the payments that its account reported or received by paymail. */
import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import { MAX_PAYMAIL } from '../../protocol/payments/limits.ts';
import { MAX_RECORDS_PER_REQUEST, type ReceivedRecord, type SentRecord } from '../../protocol/http/records.ts';
import { metadataOf, METADATA_NAMES, type MetadataName } from '../../protocol/payments/metadata.ts';
import type { Database } from '../database/connect.ts';
import { paymailDestinations, paymentOutputs, payments, receivedTransactions } from '../database/schema.ts';
import { worthOf } from './worth.ts';

/** Maximum total characters of a recipient's scripts. Longer lists are omitted, so the wallet relies on the chain. */
const MAX_SCRIPTS_CHARS = 10_000;
/** Maximum deliveries returned for the requested transactions. A transaction rarely pays an account several times. */
const MAX_DELIVERIES = 4 * MAX_RECORDS_PER_REQUEST;

const METADATA_COLUMNS = Object.fromEntries(METADATA_NAMES.map((name) => [name, payments[name]])) as Pick<
  typeof payments,
  MetadataName
>;

/**
 * Returns the account's reports of these transactions. Omits long scripts.
 * @param txids up to {@link MAX_RECORDS_PER_REQUEST}
 */
export async function sentRecords(db: Database, userId: number, txids: readonly string[]): Promise<SentRecord[]> {
  const { id, txid, origin, clientIdentifier, satoshis, currency, currencyRate } = payments;
  const worth = { satoshis, currency, currencyRate };
  const found = await db
    .select({ id, txid, origin, clientIdentifier, ...worth, ...METADATA_COLUMNS })
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
      scripts: sql<SentRecord['outputs'][number]['scripts']>`case when length(${scripts}::text) <= ${MAX_SCRIPTS_CHARS}
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

/** Returns the account's paymail deliveries of these transactions, whether or not its wallet acknowledged them. */
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
    .limit(MAX_DELIVERIES);
  return found.map(({ outputs, ...one }) => ({
    ...one,
    scripts: outputs.map(({ script, satoshis }) => ({ script, satoshis })),
  }));
}
