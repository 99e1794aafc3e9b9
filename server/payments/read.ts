/** Payment lists: newest or oldest first, with filters, and paginated by offset or cursor. */
import { and, asc, count, desc, eq, getTableColumns, inArray, isNotNull, sql, type SQL } from 'drizzle-orm';
import { union, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../protocol/payments/payment.ts';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments, receivedTransactions } from '../database/schema.ts';
import { findPayment, receivedPaymentId, type StoredPayment } from './stored-payment.ts';
import { mayRead, type Reader } from './visibility.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Maximum size of a transaction in lists, in bytes. Larger transactions are omitted to limit the size of a page. */
const MAX_LISTED_TX_BYTES = 100_000;
/** Maximum length of a recipient's script in lists, in characters. A payment has up to a hundred recipients. */
const MAX_LISTED_SCRIPT_CHARS = 1_000;

/** Maximum length of an operation's data and value together, in characters. A payment has up to twenty operations. */
const MAX_LISTED_OPERATION_CHARS = 5_000;

export interface Filters {
  buttonId?: string | undefined;
  status?: PaymentStatus | undefined;
  txid?: string | undefined;
}

/** A payment's position in lists. */
export interface PaymentCursor {
  createdAt: Date;
  id: string;
}

export interface PageRequest {
  limit: number;
  offset?: number;
  after?: PaymentCursor | undefined;
  oldestFirst?: boolean;
}

/**
 * A payment in a list. `rawtx` is left empty if the transaction is too long. If a script is too long, `to` is its
 * beginning and `…`, and `script` is null. Long `data` and `value` are null. `scripts` is empty for recipients without
 * an account here.
 */
export interface ListedPayment extends StoredPayment {
  rawtxListed: boolean;
}

export interface Page {
  payments: ListedPayment[];
  more: boolean;
}

/** Columns that list the payments that a user received: by a delivery, or by a report, which might not be delivered. */
interface Receipts {
  table: PgTable;
  userId: PgColumn;
  id: PgColumn;
  createdAt: PgColumn;
}
const DELIVERED: Receipts = {
  table: receivedTransactions,
  userId: receivedTransactions.userId,
  id: receivedTransactions.paymentId,
  createdAt: receivedTransactions.paymentCreatedAt,
};
const REPORTED: Receipts = {
  table: paymentOutputs,
  userId: paymentOutputs.recipientId,
  id: paymentOutputs.paymentId,
  createdAt: paymentOutputs.paymentCreatedAt,
};

/** Returns a payment by ID. @throws ServiceError `not-found`, even if only read access is missing */
export async function readPayment(db: Database, reader: Reader, id: string): Promise<StoredPayment> {
  const found = UUID.test(id) ? ((await findPayment(db, id)) ?? (await findAdopted(db, id))) : null;
  if (!found || !mayRead(found, reader)) throw new ServiceError('not-found');
  return found;
}

/** Finds a payment by the ID it had as a paymail payment, before it was merged into a report. */
async function findAdopted(db: Database, id: string): Promise<StoredPayment | null> {
  const mergedInto = await receivedPaymentId(db, id);
  return mergedInto === null ? null : findPayment(db, mergedInto);
}

function wanted({ buttonId, status, txid }: Filters): SQL[] {
  return [
    ...(buttonId === undefined ? [] : [eq(payments.buttonId, buttonId)]),
    ...(status === undefined ? [] : [isOfStatus(status)]),
    ...(txid === undefined ? [] : [eq(payments.txid, txid)]),
  ];
}

/** Uses literals instead of parameters, because partial indexes require the query text to imply their condition. */
function isOfStatus(status: PaymentStatus): SQL {
  const known = PAYMENT_STATUSES.find((one) => one === status);
  return known === undefined ? sql`false` : sql`${payments.status} = ${sql.raw(`'${known}'`)}`;
}

export async function listPayments(
  db: Database,
  reader: Reader,
  filters: Filters,
  { limit, offset = 0, after, oldestFirst = false }: PageRequest,
): Promise<Page> {
  const behind = (createdAt: PgColumn, id: PgColumn) =>
    after &&
    sql`(${createdAt}, ${id}) ${sql.raw(oldestFirst ? '>' : '<')} (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
  const [inOrder, sign] = oldestFirst ? [asc, 1] : [desc, -1];
  const most = offset + limit + 1;
  const places = async (mine: SQL) =>
    db
      .select({ id: payments.id, createdAt: payments.createdAt })
      .from(payments)
      .where(and(mine, behind(payments.createdAt, payments.id), ...wanted(filters)))
      .orderBy(inOrder(payments.createdAt), inOrder(payments.id))
      .limit(most);
  const received = async ({ table, userId, id, createdAt }: Receipts, user: number) =>
    (await db
      .selectDistinct({ id, createdAt })
      .from(table)
      .innerJoin(payments, eq(payments.id, id))
      .where(and(eq(userId, user), isNotNull(createdAt), behind(createdAt, id), ...wanted(filters)))
      .orderBy(inOrder(createdAt), inOrder(id))
      .limit(most)) as PaymentCursor[];
  // Separate queries for sent payments, received payments and each client, because each has its own index. In a
  // combined query, PostgreSQL would sort all rows.
  const { userId } = reader;
  const own =
    userId === null
      ? []
      : [places(eq(payments.userId, userId)), received(DELIVERED, userId), received(REPORTED, userId)];
  const found = (
    await Promise.all([...own, ...reader.clientIdentifiers.map((one) => places(eq(payments.clientIdentifier, one)))])
  ).flat();
  const all = [...new Map(found.map((place) => [place.id, place])).values()];
  all.sort((a, b) => sign * (a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)));
  const ids = all.slice(offset, offset + limit).map(({ id }) => id);
  return { payments: await readListed(db, ids), more: all.length > offset + limit };
}

/** Counts the payments that a user sent or received, stopping at `most`, which limits the cost for large accounts. */
export async function countUserPayments(db: Database, userId: number, filters: Filters, most: number): Promise<number> {
  const conditions = wanted(filters);
  // The order of each query matches a covering index. Otherwise, PostgreSQL would read all rows.
  const sent = db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.userId, userId), ...conditions))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(most);
  const received = ({ table, userId: owner, id, createdAt }: Receipts) => {
    const ofUser = db
      .selectDistinct({ id: sql<string>`${id}`.as('id'), createdAt })
      .from(table)
      .$dynamic();
    const found = (conditions.length > 0 ? ofUser.innerJoin(payments, eq(payments.id, id)) : ofUser)
      .where(and(eq(owner, userId), isNotNull(createdAt), ...conditions))
      .orderBy(desc(createdAt), desc(id))
      .limit(most)
      .as('received');
    return db.select({ id: found.id }).from(found);
  };
  // `union` counts a payment to oneself, or one both delivered and reported, only once.
  const own = union(sent, received(DELIVERED), received(REPORTED)).as('own');
  const [counted] = await db.select({ n: count() }).from(own);
  return Math.min(most, counted?.n ?? 0);
}

async function readListed(db: Database, ids: readonly string[]): Promise<ListedPayment[]> {
  if (ids.length === 0) return [];
  const { rawtx, cryptoOperations, ...rest } = getTableColumns(payments);
  const operations = sql<StoredPayment['payment']['cryptoOperations']>`(
    select coalesce(jsonb_agg(case when length(o::text) <= ${MAX_LISTED_OPERATION_CHARS} then o else o || '{"data": null, "value": null}'::jsonb end order by place), '[]'::jsonb)
    from jsonb_array_elements(${cryptoOperations}) with ordinality as list (o, place))`.mapWith(cryptoOperations);
  const short = sql<boolean>`octet_length(${rawtx}) <= ${MAX_LISTED_TX_BYTES}`;
  const rows = await db
    .select({
      ...rest,
      cryptoOperations: operations,
      rawtxListed: short,
      rawtx: sql<Uint8Array>`case when ${short} then ${rawtx} else ''::bytea end`.mapWith(rawtx),
    })
    .from(payments)
    .where(inArray(payments.id, [...ids]));
  const { to, script, scripts, ...columns } = getTableColumns(paymentOutputs);
  const fits = (column: typeof to | typeof script) => sql`length(${column}) <= ${MAX_LISTED_SCRIPT_CHARS}`;
  const outputs = await db
    .select({
      ...columns,
      to: sql<string>`case when ${fits(to)} then ${to} else left(${to}, ${MAX_LISTED_SCRIPT_CHARS}) || '…' end`,
      script: sql<string | null>`case when ${fits(script)} then ${script} end`,
      scripts: sql<
        StoredPayment['outputs'][number]['scripts']
      >`case when ${paymentOutputs.recipientId} is null then '[]'::jsonb else ${scripts} end`.mapWith(scripts),
    })
    .from(paymentOutputs)
    .where(inArray(paymentOutputs.paymentId, [...ids]))
    .orderBy(asc(paymentOutputs.paymentId), asc(paymentOutputs.position));
  const found = new Map(
    rows.map(({ rawtxListed, ...payment }) => [
      payment.id,
      { payment, rawtxListed, outputs: [] as StoredPayment['outputs'] },
    ]),
  );
  for (const output of outputs) found.get(output.paymentId)?.outputs.push(output);
  return ids.flatMap((id) => found.get(id) ?? []);
}

export function writeCursor({ createdAt, id }: PaymentCursor): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url');
}

/** Parses a cursor. @throws ServiceError `invalid-request` */
export function readCursor(text: string): PaymentCursor {
  const [time = '', id = '', ...rest] = Buffer.from(text, 'base64url').toString('latin1').split(' ');
  const createdAt = new Date(time);
  // PostgreSQL can't parse year 0, or JavaScript's format for years beyond four digits.
  const isTime = createdAt.getTime() >= 0 && time.length === 24 && createdAt.toISOString() === time;
  if (rest.length > 0 || !UUID.test(id) || !isTime) {
    throw new ServiceError('invalid-request', { message: 'The cursor must be one returned by the list.' });
  }
  return { createdAt, id };
}
