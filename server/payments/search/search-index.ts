/** The search index for applications' payments. Every key begins with a client and month, which narrows searches. */
import { createHash } from 'node:crypto';
import { and, asc, eq, gte, inArray, isNotNull, not, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../database/connect.ts';
import { applications, payments, paymentSearch, receivedTransactions, users } from '../../database/schema.ts';
import { readWatermark, setWatermark } from '../../database/watermark.ts';
import { keysOf, MAX_TEXT_CHARS, type SearchCondition } from './search-text.ts';

/** Returns a client's six-character hash. Queries also check the client, because clients can share a hash. */
const ofClient = (client: string) => createHash('sha256').update(client).digest('base64url').slice(0, 6);
/** Returns a month: `2611` */
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

/** Selects the sender and note that the application's owner received with a payment, not those that others received. */
const ownersOwn = (column: typeof receivedTransactions.note | typeof receivedTransactions.sender) =>
  sql<string | null>`(
    select string_agg(${column}, ' ') from ${receivedTransactions} inner join ${applications} on ${applications.ownerId} = ${receivedTransactions.userId}
    where ${receivedTransactions.paymentId} = ${payments.id} and ${applications.clientIdentifier} = ${payments.clientIdentifier})`;

/** Returns payments' index rows, except for payments without an application. */
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
      buttonData: sql<string | null>`left(${payments.buttonData}, ${MAX_TEXT_CHARS})`,
      sender: ownersOwn(receivedTransactions.sender),
      note: ownersOwn(receivedTransactions.note),
    })
    .from(payments)
    .leftJoin(users, eq(users.id, payments.userId))
    .where(and(inArray(payments.id, [...ids]), isNotNull(payments.clientIdentifier)))
    // A fixed lock order, so instances inserting the same rows can't deadlock.
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
 * Indexes a payment, or updates its keys.
 * @param tx the transaction that stores the payment or changes its search terms
 */
export async function indexPayment(tx: Database, id: string): Promise<void> {
  const rows = await rowsOf(tx, [id]);
  if (rows.length === 0) return;
  await tx
    .insert(paymentSearch)
    .values(rows)
    .onConflictDoUpdate({ target: paymentSearch.paymentId, set: { keys: sql`excluded.keys` } });
}

/** Returns an SQL condition that matches the index rows of this client and period that contain the search terms. */
export function matchesSearch(sought: SearchCondition, client: string, span: { from: Date; until: Date }): SQL {
  // Keys contain only letters, digits, marks and spaces (search-text.ts), so they need no escaping.
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

/** Number of payments per statement and transaction. */
const BATCH = 200;

/** Watermark before which all payments are indexed. Must be renamed whenever {@link keysOf} changes. */
export const INDEXED = 'payments-indexed';

/**
 * Indexes payments stored before the index existed. After the first complete run, checks only newer payments.
 * @param isOver called before each batch; true stops the run
 * @returns number of payments indexed
 */
export async function indexOlderPayments(db: Database, isOver: () => boolean, now = new Date()): Promise<number> {
  const since = await readWatermark(db, INDEXED, now);
  const batches = since ? missingSince(db, since) : allMissing(db);
  let indexed = 0;
  for (;;) {
    if (isOver()) return indexed;
    const { value: missing, done } = await batches.next();
    if (done) break;
    const rows = await rowsOf(db, missing);
    // Keeps rows that a concurrent transaction has inserted.
    if (rows.length > 0) await db.insert(paymentSearch).values(rows).onConflictDoNothing();
    indexed += rows.length;
  }
  await setWatermark(db, INDEXED, now);
  return indexed;
}

const isIndexed = sql<boolean>`exists (select from ${paymentSearch} where ${paymentSearch.paymentId} = ${payments.id})`;

/** Yields all applications' unindexed payments in index order so that each row is read only once. */
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

/** Yields the newest unindexed payments of existing applications, because those of deleted ones can't be searched. */
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
