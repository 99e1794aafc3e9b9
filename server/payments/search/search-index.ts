/**
 * The search index of applications' payments. Each key begins with a client and a month, so a search reads no others.
 */
import { createHash } from 'node:crypto';
import { and, asc, eq, gte, inArray, isNotNull, not, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../database/connect.ts';
import { applications, payments, paymentSearch, receivedTransactions, users } from '../../database/schema.ts';
import { raiseWatermark, readWatermark } from '../../database/watermark.ts';
import { keysOf, LONGEST_TEXT, type Sought } from './search-text.ts';

/** Six characters, which two clients rarely share. Queries check the client as well. */
const ofClient = (client: string) => createHash('sha256').update(client).digest('base64url').slice(0, 6);
/** `2611` */
const monthOf = (at: Date) => at.toISOString().slice(2, 7).replace('-', '');

function monthsBetween({ from, until }: { from: Date; until: Date }): string[] {
  const months = [];
  for (
    let at = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth()));
    at < until;
    at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
  )
    months.push(monthOf(at));
  return months;
}

/** The sender and note that the application's owner received with it, and no one else's. */
const ownersOwn = (column: typeof receivedTransactions.note | typeof receivedTransactions.sender) =>
  sql<string | null>`(
    select string_agg(${column}, ' ') from ${receivedTransactions} inner join ${applications} on ${applications.ownerId} = ${receivedTransactions.userId}
    where ${receivedTransactions.paymentId} = ${payments.id} and ${applications.clientIdentifier} = ${payments.clientIdentifier})`;

/** The index rows of payments. Payments without an application are left out. */
async function rowsOf(db: Database, ids: readonly string[]) {
  const rows = await db
    .select({
      id: payments.id,
      createdAt: payments.createdAt,
      client: sql<string>`${payments.clientIdentifier}`,
      txid: payments.txid,
      satoshis: payments.satoshis,
      amount: payments.amount,
      currency: payments.currency,
      currencyRate: payments.currencyRate,
      usdRate: payments.usdRate,
      senderPaymail: payments.senderPaymail,
      senderName: users.name,
      label: payments.label,
      buttonId: payments.buttonId,
      buttonData: sql<string | null>`left(${payments.buttonData}, ${LONGEST_TEXT})`,
      sender: ownersOwn(receivedTransactions.sender),
      note: ownersOwn(receivedTransactions.note),
    })
    .from(payments)
    .leftJoin(users, eq(users.id, payments.userId))
    .where(and(inArray(payments.id, [...ids]), isNotNull(payments.clientIdentifier)))
    // A fixed lock order: instances that insert the same rows can't deadlock.
    .orderBy(asc(payments.id));
  return rows.map((row) => {
    const begin = ofClient(row.client) + monthOf(row.createdAt);
    const keys = keysOf({ ...row, senderPaymail: row.senderPaymail ?? row.sender }).map((key) => begin + key);
    return {
      paymentId: row.id,
      createdAt: row.createdAt,
      keys: sql`array_to_tsvector(${sql.param(keys)}::text[])`,
    };
  });
}

/**
 * Indexes a payment, or updates its keys. @param tx the transaction that stores it, or some of its search keys
 */
export async function indexPayment(tx: Database, id: string): Promise<void> {
  const rows = await rowsOf(tx, [id]);
  if (rows.length === 0) return;
  await tx
    .insert(paymentSearch)
    .values(rows)
    .onConflictDoUpdate({ target: paymentSearch.paymentId, set: { keys: sql`excluded.keys` } });
}

/** SQL condition: the index contains the search terms for a client's payments in a span of time. */
export function hasSought(sought: Sought, client: string, span: { from: Date; until: Date }): SQL {
  // Keys consist of letters, digits, marks and spaces (search-text.ts), so they never need escaping.
  const query = monthsBetween(span).map((month) => {
    const begin = ofClient(client) + month;
    const words = sought.map((alternatives) => {
      const each = alternatives.map((all) => all.map(({ key, isWhole }) => `'${begin}${key}'${isWhole ? '' : ':*'}`));
      return `(${each.map((all) => `(${all.join(' & ')})`).join(' | ')})`;
    });
    return `(${words.join(' & ')})`;
  });
  return sql`${paymentSearch.keys} @@ ${query.join(' | ')}::tsquery`;
}

/** Payments per statement, and so per transaction. */
const BATCH = 200;

/** Watermark before which all payments are indexed. Rename it if {@link keysOf} changes. */
export const INDEXED = 'payments-indexed';

/**
 * Indexes payments that a version before the index stored. After the first complete run, checks only those since.
 * @param isOver asked before each batch @returns number of payments indexed
 */
export async function indexOlderPayments(db: Database, isOver: () => boolean, now = new Date()): Promise<number> {
  const since = await readWatermark(db, INDEXED);
  const batches = since ? missingSince(db, since) : allMissing(db);
  let indexed = 0;
  for (;;) {
    if (isOver()) return indexed;
    const { value: missing, done } = await batches.next();
    if (done) break;
    const rows = await rowsOf(db, missing);
    // Keep the row of a newer transaction.
    if (rows.length > 0) await db.insert(paymentSearch).values(rows).onConflictDoNothing();
    indexed += rows.length;
  }
  await raiseWatermark(db, INDEXED, now);
  return indexed;
}

const isIndexed = sql<boolean>`exists (select from ${paymentSearch} where ${paymentSearch.paymentId} = ${payments.id})`;

/** All applications' payments in the order of an index, so that each is read only once. */
async function* allMissing(db: Database): AsyncGenerator<string[]> {
  let after = sql`('', '-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)`;
  for (;;) {
    const batch = await db
      .select({
        id: payments.id,
        client: sql<string>`${payments.clientIdentifier}`,
        createdAt: sql<string>`${payments.createdAt}::text`,
        isIndexed,
      })
      .from(payments)
      .where(
        and(
          isNotNull(payments.clientIdentifier),
          sql`(${payments.clientIdentifier}, ${payments.createdAt}, ${payments.id}) > ${after}`,
        ),
      )
      .orderBy(asc(payments.clientIdentifier), asc(payments.createdAt), asc(payments.id))
      .limit(BATCH);
    yield batch.filter((one) => !one.isIndexed).map(({ id }) => id);
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
    after = sql`(${last.client}, ${last.createdAt}::timestamptz, ${last.id}::uuid)`;
  }
}

/** Only the newest payments, per existing application: those of removed ones can't be searched. */
async function* missingSince(db: Database, since: Date): AsyncGenerator<string[]> {
  for (;;) {
    const batch = await db
      .select({ id: payments.id })
      .from(applications)
      .innerJoin(payments, eq(payments.clientIdentifier, applications.clientIdentifier))
      .where(and(gte(payments.createdAt, since), not(isIndexed)))
      .limit(BATCH);
    if (batch.length > 0) yield batch.map(({ id }) => id);
    if (batch.length < BATCH) return;
  }
}
