/**
 * Totals of an application's payments, overall and per button. Totals are stored per quarter-hour so that they add up
 * to days in any time zone. Updated in the payment's transaction.
 */
import { createHash } from 'node:crypto';
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { isAssetName } from '../../../protocol/assets/asset-name.ts';
import type { Database } from '../../database/connect.ts';
import { paymentSums } from '../../database/schema.ts';
import type { StoredPayment } from '../stored-payment.ts';
import { worthOf } from '../worth.ts';

const QUARTER_MS = 15 * 60_000;

const ALL = '';
/** Hashes a label or ID, which can exceed the size of a B-tree entry. */
const keyOf = (button: string) => createHash('sha256').update(button).digest('hex');

/**
 * Adds a payment that was just stored to the totals, or subtracts one that has failed. Skips payments without an
 * application, refunds and pure asset payments. Must be called last in its transaction, because its row locks block
 * other payments.
 * @param tx the transaction that changes the payment
 */
export async function countSale(
  tx: Database,
  payment: Pick<
    StoredPayment['payment'],
    | 'clientIdentifier'
    | 'currency'
    | 'currencyRate'
    | 'satoshis'
    | 'refundSatoshis'
    | 'createdAt'
    | 'label'
    | 'buttonId'
  >,
  change: 1 | -1,
): Promise<void> {
  const { clientIdentifier, currency, satoshis, createdAt, label, buttonId } = payment;
  if (clientIdentifier === null || payment.refundSatoshis !== null || isAssetName(currency)) return;
  const worth = worthOf(satoshis, payment);
  const sign = change === 1 ? '' : '-';
  const row = {
    clientIdentifier,
    currency,
    quarter: new Date(Math.floor(createdAt.getTime() / QUARTER_MS) * QUARTER_MS),
    payments: change,
    unrated: worth === null ? change : 0,
    satoshis: `${sign}${satoshis}`,
    worth: worth === null ? '0' : `${sign}${worth}`,
  };
  // The total comes first. Its row lock also serializes changes to the button rows.
  const buttons = new Set([label, buttonId].filter((text) => text !== null).map(keyOf));
  const { clientIdentifier: client, button: of, quarter, currency: counted } = paymentSums;
  const plus = (column: 'payments' | 'unrated' | 'satoshis' | 'worth') =>
    sql`${paymentSums[column]} + excluded.${sql.identifier(column)}`;
  await tx
    .insert(paymentSums)
    .values([ALL, ...buttons].map((button) => ({ ...row, button })))
    .onConflictDoUpdate({
      target: [client, of, quarter, counted],
      set: { payments: plus('payments'), unrated: plus('unrated'), satoshis: plus('satoshis'), worth: plus('worth') },
    });
}

export interface Sums {
  payments: number;
  satoshis: bigint;
  /** Total value in the currency, at this service's rates at the time of each report. */
  worth: string;
  /** Number of payments without a known rate, which aren't part of `worth`. */
  unrated: number;
}

export interface SumsOf {
  client: string;
  button?: string | undefined;
}

/** Maximum number of currencies offered. Payments can be in any currency. */
const MAX_CURRENCIES = 12;

/** Returns the currencies of the payments in a period, most used first. */
export async function currenciesOf(db: Database, of: SumsOf, from: Date, until: Date): Promise<string[]> {
  const rows = await db
    .select({ currency: paymentSums.currency })
    .from(paymentSums)
    .where(within(of, from, until))
    .groupBy(paymentSums.currency)
    .having(sql`sum(${paymentSums.payments}) > 0`)
    .orderBy(desc(sql`sum(${paymentSums.payments})`), paymentSums.currency)
    .limit(MAX_CURRENCIES);
  return rows.map(({ currency }) => currency);
}

const within = ({ client, button }: SumsOf, from: Date, until: Date) =>
  and(
    eq(paymentSums.clientIdentifier, client),
    eq(paymentSums.button, button === undefined ? ALL : keyOf(button)),
    gte(paymentSums.quarter, from),
    lt(paymentSums.quarter, until),
  );

/**
 * Returns totals per period in one currency.
 * @param bounds the start of each period in order, then the end of the last; all on quarter-hour boundaries
 */
export async function sumsBetween(
  db: Database,
  of: SumsOf,
  currency: string,
  bounds: readonly Date[],
): Promise<Sums[]> {
  const [from, until] = [bounds[0], bounds.at(-1)];
  if (!from || !until) return [];
  const list = sql.join(
    bounds.map((bound) => sql`${bound.toISOString()}::timestamptz`),
    sql`, `,
  );
  const span = sql<number>`width_bucket(${paymentSums.quarter}, array[${list}])`;
  const rows = await db
    .select({
      span: span.mapWith(Number).as('span'),
      payments: sql`sum(${paymentSums.payments})`.mapWith(Number),
      satoshis: sql`sum(${paymentSums.satoshis})::text`.mapWith((text: string) => BigInt(text)),
      worth: sql<string>`sum(${paymentSums.worth})::text`,
      unrated: sql`sum(${paymentSums.unrated})`.mapWith(Number),
    })
    .from(paymentSums)
    .where(and(within(of, from, until), eq(paymentSums.currency, currency)))
    .groupBy(sql`span`);
  const bySpan = new Map(rows.map(({ span: place, ...sums }) => [place, sums]));
  return bounds.slice(1).map((_, i) => bySpan.get(i + 1) ?? { payments: 0, satoshis: 0n, worth: '0', unrated: 0 });
}
