/**
 * The index by which the payments of applications are found. Each of its keys begins with whose payment it is and with its
 * month: a search reads nothing of other applications, nor of months that were not asked for.
 */
import { createHash } from 'node:crypto';
import { and, asc, eq, gte, inArray, isNotNull, not, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { applications, payments, paymentSearch, receivedTransactions, users } from '../database/schema.ts';
import { raiseWatermark, readWatermark } from '../database/watermark.ts';
import { keysOf, LONGEST_TEXT, type Sought } from './search-text.ts';

/** Six characters that two clients hardly ever share. That it is the client's payment is checked as well. */
const ofClient = (client: string) => createHash('sha256').update(client).digest('base64url').slice(0, 6);
/** `2611` */
const monthOf = (at: Date) => at.toISOString().slice(2, 7).replace('-', '');

/** The months (UTC) of a span of time. */
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

/** The sender and the note of what the application's owner received with it: nobody else's. */
const ownersOwn = (column: typeof receivedTransactions.note | typeof receivedTransactions.sender) =>
  sql<string | null>`(
    select string_agg(${column}, ' ') from ${receivedTransactions} inner join ${applications} on ${applications.ownerId} = ${receivedTransactions.userId}
    where ${receivedTransactions.paymentId} = ${payments.id} and ${applications.clientIdentifier} = ${payments.clientIdentifier})`;

/** What is kept of payments. Those of no application are left out. */
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
    // Two instances that put in the same ones wait for each other in one order only.
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
 * Makes a payment findable, or findable by what is known of it by now.
 * @param tx the transaction that stores it, or a part of what it is found by
 */
export async function indexPayment(tx: Database, id: string): Promise<void> {
  const rows = await rowsOf(tx, [id]);
  if (rows.length === 0) return;
  await tx
    .insert(paymentSearch)
    .values(rows)
    .onConflictDoUpdate({ target: paymentSearch.paymentId, set: { keys: sql`excluded.keys` } });
}

/** That the index has what is sought, for a client's payments of a span of time. */
export function hasSought(sought: Sought, client: string, span: { from: Date; until: Date }): SQL {
  // No key contains what would need an escape: letters, digits, marks and spaces only (search-text.ts).
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

/** Payments that are looked at in one statement, and so in one transaction. */
const BATCH = 200;

/** Up to when all payments can be found. Another name where {@link keysOf} gives other keys: then all are indexed anew. */
export const INDEXED = 'payments-indexed';

/**
 * Makes payments findable that are not yet: those that were stored by a version before the index. Once all were looked at, only
 * those since are.
 * @param isOver asked before each batch
 * @returns how many there were
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
    // What a newer transaction has put in meanwhile stays.
    if (rows.length > 0) await db.insert(paymentSearch).values(rows).onConflictDoNothing();
    indexed += rows.length;
  }
  await raiseWatermark(db, INDEXED, now);
  return indexed;
}

const isIndexed = sql<boolean>`exists (select from ${paymentSearch} where ${paymentSearch.paymentId} = ${payments.id})`;

/** Of all applications together, in the order of an index: however many there are, each is looked at once. */
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

/** Of each application by itself, the newest alone. Nobody searches for those of an application that is gone. */
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
