/** The payments made through an application, as its owner looks through them: filtered, the newest first, in parts. */
import { and, desc, eq, gte, lt, sql, type SQL } from 'drizzle-orm';
import type { PaymentStatus } from '../../protocol/payment.ts';
import type { Database } from '../database/connect.ts';
import { payments, paymentSearch } from '../database/schema.ts';
import type { Place } from './read.ts';
import { hasSought } from './search-index.ts';
import { soughtIn, type Sought } from './search-text.ts';
import { inTurn } from './search-turns.ts';

/** What is looked for. All of it holds at once; what is undefined does not narrow anything. */
export interface SalesFilter {
  from: Date;
  until: Date;
  status?: PaymentStatus | undefined;
  /** A button's whole label or id. */
  button?: string | undefined;
  /** What somebody typed (search-text.ts). */
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
/** A payment as far as lists show it: without its transaction and recipients. */
export type Sale = Pick<typeof payments.$inferSelect, keyof typeof COLUMNS>;

/** An indexed hash and the text itself: these texts may be longer than an entry of a B-tree. */
const hashed = (column: typeof payments.label | typeof payments.buttonId, text: string) =>
  sql`md5(${column}) = md5(${text}) and ${column} = ${text}`;

/** A part of a list: so many, after a place. */
interface Part {
  limit: number;
  after?: Place | undefined;
}

/**
 * Some payments of a client, the newest first.
 * @throws {@link isSearchTooSlow}; ServiceError `too-many-requests`: too many searches of this client wait
 */
export async function listSales(db: Database, client: string, filter: SalesFilter, part: Part): Promise<Sale[]> {
  const { button, search } = filter;
  const sought = search === undefined ? null : soughtIn(search);
  if (sought?.length === 0) return [];
  // Each by its own index: of both at once the database would sort everything that fits.
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

/** All that holds of the payments of a list but for its search and button. */
const matching = (client: string, { from, until, status }: SalesFilter, { after }: Part) =>
  and(
    eq(payments.clientIdentifier, client),
    gte(payments.createdAt, from),
    // One of them alone: with both the database begins at `until`, and passes by all that lies between.
    after && after.createdAt < until
      ? sql`(${payments.createdAt}, ${payments.id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`
      : lt(payments.createdAt, until),
    status && eq(payments.status, status),
  );

/** When those can have been made. */
const spanOf = ({ from, until }: SalesFilter, { after }: Part) => ({
  from,
  until: after && after.createdAt < until ? new Date(after.createdAt.getTime() + 1) : until,
});

const newest = (db: Database, all: SQL | undefined, { limit }: Pick<Part, 'limit'>) =>
  db.select(COLUMNS).from(payments).where(all).orderBy(desc(payments.createdAt), desc(payments.id)).limit(limit);

/** For each payment that is wanted, so many are looked through before the index is asked. */
const LOOKED_THROUGH = 10;
/** No statement of a search takes longer. Milliseconds. */
const LONGEST_MS = 3_000;
/** PostgreSQL's `query_canceled`. */
const CANCELLED = '57014';

/**
 * Those of them that a search finds. What many payments have is found among the newest, and what few have by its index;
 * the database, which guesses how many there are, would choose the wrong way again and again.
 */
async function find(
  db: Database,
  { client, sought, span }: { client: string; sought: Sought; span: { from: Date; until: Date } },
  all: SQL | undefined,
  { limit }: Part,
): Promise<Sale[]> {
  const has = hasSought(sought, client, span);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(LONGEST_MS)}, true)`);
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

/** Whether a search was ended because it took too long. */
export function isSearchTooSlow(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } };
  return cause?.code === CANCELLED;
}

/** Payments whose buttons are offered, and how many of those at most. */
const [LOOKED_AT, MOST_BUTTONS] = [200, 20];

/** The labels, or ids where there is none, of the buttons of a client's latest payments in a span of time. */
export async function recentButtons(db: Database, client: string, from: Date, until: Date): Promise<string[]> {
  const latest = db
    .select({ button: sql<string | null>`coalesce(${payments.label}, ${payments.buttonId})`.as('button') })
    .from(payments)
    .where(and(eq(payments.clientIdentifier, client), gte(payments.createdAt, from), lt(payments.createdAt, until)))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(LOOKED_AT)
    .as('latest');
  const rows = await db
    .select({ button: latest.button })
    .from(latest)
    .where(sql`${latest.button} is not null`)
    .groupBy(latest.button)
    .orderBy(desc(sql`count(*)`), latest.button)
    .limit(MOST_BUTTONS);
  return rows.map(({ button }) => button as string);
}
