/** An application's payments, listed for its owner: filtered, newest first, paginated. */
import { and, desc, eq, gte, lt, sql, type SQL } from 'drizzle-orm';
import type { PaymentStatus } from '../../../protocol/payments/payment.ts';
import type { Database } from '../../database/connect.ts';
import { payments, paymentSearch } from '../../database/schema.ts';
import type { PaymentCursor } from '../read.ts';
import { matchesSearch } from '../search/search-index.ts';
import { parseSearch, type SearchCondition } from '../search/search-text.ts';
import { inTurn } from '../search/search-turns.ts';

/** Filters for a list, combined with AND. Undefined filters are ignored. */
export interface SalesFilter {
  from: Date;
  until: Date;
  status?: PaymentStatus | undefined;
  /** A button's exact label or ID. */
  button?: string | undefined;
  /** Search terms as typed (search-text.ts). */
  search?: string | undefined;
}

const COLUMNS = {
  id: payments.id,
  createdAt: payments.createdAt,
  status: payments.status,
  network: payments.network,
  txid: payments.txid,
  satoshis: payments.satoshis,
  amount: payments.amount,
  currency: payments.currency,
  currencyRate: payments.currencyRate,
  usdRate: payments.usdRate,
  userId: payments.userId,
  senderPaymail: payments.senderPaymail,
  origin: payments.origin,
  label: payments.label,
  buttonId: payments.buttonId,
  refundOf: payments.refundOf,
  refundSatoshis: payments.refundSatoshis,
  refundedSatoshis: payments.refundedSatoshis,
  tokenId: payments.tokenId,
  tokenUnits: payments.tokenUnits,
  assetId: payments.assetId,
  tokenValidity: payments.tokenValidity,
};
/** The listed columns of a payment, without the transaction or recipients. */
export type Sale = Pick<typeof payments.$inferSelect, keyof typeof COLUMNS>;

/** Compares the indexed hash and then the text, because the text can exceed the size of a B-tree entry. */
const hashed = (column: typeof payments.label | typeof payments.buttonId, text: string) =>
  sql`md5(${column}) = md5(${text}) and ${column} = ${text}`;

interface Part {
  limit: number;
  after?: PaymentCursor | undefined;
}

/**
 * Lists a client's payments, newest first.
 * @throws ServiceError `too-many-requests` (too many searches); an error that {@link isSearchTooSlow} recognizes
 */
export async function listSales(db: Database, client: string, filter: SalesFilter, part: Part): Promise<Sale[]> {
  const { button, search } = filter;
  const sought = search === undefined ? null : parseSearch(search);
  if (sought?.length === 0) return [];
  // Separate queries, each with its own index. In a combined query, PostgreSQL would sort all matches.
  const ofButton =
    button === undefined ? [undefined] : [hashed(payments.label, button), hashed(payments.buttonId, button)];
  const parts = await Promise.all(
    ofButton.map((one) => {
      const all = and(matching(client, filter, part), one);
      return sought
        ? inTurn(client, () => find(db, { client, sought, span: spanOf(filter, part) }, all, part))
        : newest(db, all, part);
    }),
  );
  const [only = [], ...others] = parts;
  if (others.length === 0) return only;
  const all = [...new Map(parts.flat().map((sale) => [sale.id, sale])).values()];
  all.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
  return all.slice(0, part.limit);
}

const matching = (client: string, { from, until, status }: SalesFilter, { after }: Part) =>
  and(
    eq(payments.clientIdentifier, client),
    gte(payments.createdAt, from),
    // Uses a single upper bound, because with two, PostgreSQL would start at `until` and read all rows down to the
    // cursor.
    after && after.createdAt < until
      ? sql`(${payments.createdAt}, ${payments.id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`
      : lt(payments.createdAt, until),
    status && eq(payments.status, status),
  );

const spanOf = ({ from, until }: SalesFilter, { after }: Part) => ({
  from,
  until: after && after.createdAt < until ? new Date(after.createdAt.getTime() + 1) : until,
});

const newest = (db: Database, all: SQL | undefined, { limit }: Pick<Part, 'limit'>) =>
  db.select(COLUMNS).from(payments).where(all).orderBy(desc(payments.createdAt), desc(payments.id)).limit(limit);

/** Number of newest payments scanned before the search index is used, as a multiple of the requested number. */
const LOOKED_THROUGH = 10;
/** Timeout per statement in a search (ms). */
const STATEMENT_TIMEOUT_MS = 3_000;
/** PostgreSQL's `query_canceled`. */
const CANCELLED = '57014';

/**
 * Finds matching payments. Frequent terms are found among the newest payments, rare ones through the index.
 * PostgreSQL's own estimates would often choose the wrong plan.
 */
async function find(
  db: Database,
  { client, sought, span }: { client: string; sought: SearchCondition; span: { from: Date; until: Date } },
  all: SQL | undefined,
  { limit }: Part,
): Promise<Sale[]> {
  const has = matchesSearch(sought, client, span);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`);
    const looked = newest(tx, all, { limit: limit * LOOKED_THROUGH }).as('looked');
    const among = await tx
      .select()
      .from(looked)
      .where(sql`(select ${has} from ${paymentSearch} where ${paymentSearch.paymentId} = ${looked.id})`)
      .orderBy(desc(looked.createdAt), desc(looked.id))
      .limit(limit);
    if (among.length === limit) return among;
    const { paymentId: id, createdAt } = paymentSearch;
    const found = tx
      .select({ id, createdAt })
      .from(paymentSearch)
      .where(and(has, gte(createdAt, span.from), lt(createdAt, span.until)))
      .orderBy(desc(createdAt), desc(id))
      .as('found');
    const sale = tx
      .select(COLUMNS)
      .from(payments)
      .where(and(eq(payments.id, found.id), all))
      .limit(1)
      .as('sale');
    const rows = await tx
      .select()
      .from(found)
      .crossJoinLateral(sale)
      .orderBy(desc(found.createdAt), desc(found.id))
      .limit(limit);
    return rows.map((row) => row.sale);
  });
}

/** True if a search was canceled because of its timeout. */
export function isSearchTooSlow(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } };
  return cause?.code === CANCELLED;
}

/** Number of latest payments searched for buttons, and maximum number of buttons. */
const [MAX_PAYMENTS_READ, MAX_BUTTON_LABELS] = [200, 20];

/** Returns the button labels, or IDs if there is no label, of a client's latest payments in a period. */
export async function recentButtons(db: Database, client: string, from: Date, until: Date): Promise<string[]> {
  const latest = db
    .select({ button: sql<string | null>`coalesce(${payments.label}, ${payments.buttonId})`.as('button') })
    .from(payments)
    .where(and(eq(payments.clientIdentifier, client), gte(payments.createdAt, from), lt(payments.createdAt, until)))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(MAX_PAYMENTS_READ)
    .as('latest');
  const rows = await db
    .select({ button: latest.button })
    .from(latest)
    .where(sql`${latest.button} is not null`)
    .groupBy(latest.button)
    .orderBy(desc(sql`count(*)`), latest.button)
    .limit(MAX_BUTTON_LABELS);
  return rows.map(({ button }) => button as string);
}
