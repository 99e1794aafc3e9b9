/** For tests and benchmarks: inserts many payments for an application in one statement. */
import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import type { Database } from '../../database/connect.ts';

/** Migration statements that compute the totals of existing payments, overall and per button. */
const SUM_UP = ['0003_payment_sums', '0006_button_sums'].map(
  (name) =>
    readFileSync(new URL(`../../database/migrations/${name}.sql`, import.meta.url), 'utf8')
      .split('--> statement-breakpoint')
      .at(-1) as string,
);

/** Rates with repeating decimals, and an unknown rate. */
const RATES = ['49.17', '0.3333333333', '61.005', '1234567.891', null] as const;
const STATUSES = ['COMPLETED', 'COMPLETED', 'RECEIVED', 'FAILED', 'COMPLETED', 'COMPLETED', 'COMPLETED'] as const;
const CURRENCIES = ['USD', 'USD', 'EUR', 'USD', 'BSV', 'USD'] as const;

/** Returns payment `n`, counted from 0, as inserted by {@link seedSales}. */
export const seededSale = (n: number, stepMs: number, from: Date) => ({
  createdAt: new Date(from.getTime() + n * stepMs),
  satoshis: BigInt(1 + ((n * 7919) % 1_000_003)),
  currency: CURRENCIES[n % CURRENCIES.length] as string,
  currencyRate: RATES[n % RATES.length] as string | null,
  status: STATUSES[n % STATUSES.length] as (typeof STATUSES)[number],
  label: n % 3 > 0 ? `Label ${n % 5}` : null,
  buttonId: n % 11 === 0 ? 'Label 2' : `order-${n}`,
});

const list = (values: readonly (string | null)[]) =>
  sql`(array[${sql.join(
    values.map((one) => sql`${one}::text`),
    sql`, `,
  )}])`;
const nth = (values: readonly (string | null)[]) => sql`${list(values)}[1 + n % ${values.length}::int]`;

/** Inserts payments at regular intervals starting at `from`, with their totals. @param stepMs ms between payments */
export async function seedSales(
  db: Database,
  client: string,
  { count, stepMs, from }: { count: number; stepMs: number; from: Date },
): Promise<void> {
  await db.execute(sql`
    insert into payments (id, user_id, sender_paymail, reported, txid, normalized_txid, rawtx, amount, currency, satoshis,
      usd_rate, currency_rate, client_identifier, label, button_id, status, created_at, updated_at)
    select gen_random_uuid(), null, 'payer' || n % 500 || '@example.com', true, md5(${client} || n) || md5(n::text),
      md5(n::text), ''::bytea, '1.00', ${nth(CURRENCIES)}, 1 + (n::bigint * 7919) % 1000003, '50', ${nth(RATES)}, ${client},
      case when n % 3 > 0 then 'Label ' || n % 5 end, case when n % 11 = 0 then 'Label 2' else 'order-' || n end, ${nth(STATUSES)}, at, at
    from generate_series(0, ${count - 1}::int) n,
      lateral (select ${from.toISOString()}::timestamptz + n::bigint * ${stepMs}::int * interval '1 millisecond' as at) times`);
  await db.execute(sql`delete from payment_sums`);
  for (const statement of SUM_UP) await db.execute(sql.raw(statement));
  await db.execute(sql`analyze payments, payment_sums`);
}
