/** The payments made through an application, as its owner looks through them: filtered, the newest first, in parts. */
import { and, desc, eq, gte, lt, sql, type SQL } from 'drizzle-orm';
import type { PaymentStatus } from '../../protocol/payment.ts';
import type { Database } from '../database/connect.ts';
import { payments } from '../database/schema.ts';
import type { Place } from './read.ts';

/** What is looked for. All of it holds at once; what is undefined does not narrow anything. */
export interface SalesFilter {
  from: Date;
  until: Date;
  status?: PaymentStatus | undefined;
  /** A button's whole label or id. */
  button?: string | undefined;
  /** The whole id of a payment or transaction, or the payer's paymail. */
  search?: string | undefined;
}

const COLUMNS = {
  id: payments.id,
  createdAt: payments.createdAt,
  status: payments.status,
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
  refundSatoshis: payments.refundSatoshis,
  refundedSatoshis: payments.refundedSatoshis,
};
/** A payment as far as lists show it: without its transaction and recipients. */
export type Sale = Pick<typeof payments.$inferSelect, keyof typeof COLUMNS>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An indexed hash and the text itself: these texts may be longer than an entry of a B-tree. */
const hashed = (column: typeof payments.label | typeof payments.buttonId, text: string) =>
  sql`md5(${column}) = md5(${text}) and ${column} = ${text}`;

/** The conditions of which one has to hold, each with an index of its own. */
function alternatives({ search, button }: SalesFilter): SQL[] {
  const ofButton = button === undefined ? [] : [hashed(payments.label, button), hashed(payments.buttonId, button)];
  if (search === undefined) return ofButton.length === 0 ? [sql`true`] : ofButton;
  const found = [
    ...(UUID.test(search) ? [sql`${payments.id} = ${search}::uuid`] : []),
    sql`${payments.txid} = ${search.toLowerCase()}`,
    sql`${payments.senderPaymail} = ${search.toLowerCase()}`,
  ];
  if (ofButton.length === 0) return found;
  return found.map((one) => sql`${one} and (${sql.join(ofButton, sql` or `)})`);
}

/** Some payments of a client, the newest first, after a place. */
export async function listSales(
  db: Database,
  client: string,
  filter: SalesFilter,
  { limit, after }: { limit: number; after?: Place | undefined },
): Promise<Sale[]> {
  const { from, until, status } = filter;
  const place =
    after &&
    sql`(${payments.createdAt}, ${payments.id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
  // Each alternative by itself: of several at once the database would sort everything that fits.
  const parts = await Promise.all(
    alternatives(filter).map((one) =>
      db
        .select(COLUMNS)
        .from(payments)
        .where(
          and(
            eq(payments.clientIdentifier, client),
            gte(payments.createdAt, from),
            lt(payments.createdAt, until),
            status && eq(payments.status, status),
            one,
            place,
          ),
        )
        .orderBy(desc(payments.createdAt), desc(payments.id))
        .limit(limit),
    ),
  );
  const [only = [], ...others] = parts;
  if (others.length === 0) return only;
  const all = [...new Map(parts.flat().map((sale) => [sale.id, sale])).values()];
  all.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
  return all.slice(0, limit);
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
