/**
 * Compares a merchant's payments page with 100,000 and with 1,000 payments, over HTTP with a real PostgreSQL server.
 */
import { eq, sql } from 'drizzle-orm';
import { openPostgres } from '../server/database/connect.ts';
import { migrate } from '../server/database/migrate.ts';
import { payments } from '../server/database/schema.ts';
import { createDatabase, startPostgres } from '../server/database/testing-postgres.ts';
import { indexOlderPayments } from '../server/payments/search/search-index.ts';
import { seedSales } from '../server/payments/sales/testing-sales.ts';
import { createTestWallet, register, registerApplication, signInOnPages, startTestApp } from '../server/testing.ts';
import { median, type Row } from './row.ts';

const [FEW, MANY] = [1000, 100_000];
const [WARM_UP, RUNS] = [20, 100];
const DAYS = 30;
const queries = (txid: string) => ({
  'dashboard, page of payments': '',
  'dashboard, filtered by button': '&button=Label+4',
  'dashboard, filtered by status': '&status=FAILED',
  'dashboard, search for a payer': '&search=payer7%40example.com',
  'dashboard, search for a frequent word': '&search=label',
  'dashboard, search for a frequent word that the newest payments lack': '&search=order-1',
  'dashboard, search for a rare word': '&search=order-77',
  'dashboard, search for two frequent words': '&search=label+payer1',
  'dashboard, search for the beginning of a transaction id': `&search=${txid.slice(0, 8)}`,
  'dashboard, search for an amount': '&search=%241.00',
  'dashboard, search without a match': '&search=nothing',
});

/** Measures the pages with many and with few payments alternately so that other load on the machine affects both. */
export async function dashboard(): Promise<Row[]> {
  const postgres = await startPostgres();
  const made = await createDatabase(postgres.url);
  const database = await openPostgres(made.url, undefined, undefined, null);
  try {
    await migrate(database);
    const app = await startTestApp(database);
    try {
      const wallet = createTestWallet();
      const owner = await register(app, wallet, 'alice');
      const { Cookie } = await signInOnPages(app, wallet);
      const from = new Date(app.clock.ms - (DAYS - 1) * 86_400_000);
      const [few, many] = [await registerApplication(app, owner), await registerApplication(app, owner)];
      for (const [{ clientIdentifier }, count] of [
        [few, FEW],
        [many, MANY],
      ] as const)
        await seedSales(database.db, clientIdentifier, {
          count,
          stepMs: Math.floor(((DAYS - 1) * 86_400_000) / count),
          from,
        });
      await indexOlderPayments(database.db, () => false);
      await database.db.execute(sql`analyze`);
      const found = await Promise.all(
        [few, many].map(async ({ id, clientIdentifier }) => {
          const [one] = await database.db
            .select({ txid: payments.txid })
            .from(payments)
            .where(eq(payments.clientIdentifier, clientIdentifier))
            .limit(1);
          return { id, queries: queries(one?.txid ?? '') };
        }),
      );
      const timed = async (id: string, query: string) => {
        const start = performance.now();
        const { status, body } = await app.send('GET', `/account/applications/${id}/payments?x=${query}`, undefined, {
          Cookie,
        });
        if (status !== 200 || body.includes('payment-row') === query.endsWith('nothing'))
          throw new Error('the response is not a page of payments');
        return performance.now() - start;
      };
      const rows: Row[] = [];
      for (const what of Object.keys(queries('')) as (keyof ReturnType<typeof queries>)[]) {
        const times: [number[], number[]] = [[], []];
        for (let run = 0; run < WARM_UP + RUNS; run += 1)
          for (const [i, { id, queries: asked }] of found.entries()) {
            const time = await timed(id, asked[what]);
            if (run >= WARM_UP) times[i]?.push(time);
          }
        const [small, large] = [median(times[0]), median(times[1])];
        rows.push({
          what: `${what}, 100,000 payments`,
          measured: `${large.toFixed(1)} ms, with 1,000 payments ${small.toFixed(1)} ms`,
          ratio: large / small,
          goal: '≤ 2 times 1,000 payments',
          holds: large <= 2 * small,
        });
      }
      return rows;
    } finally {
      await app.close();
    }
  } finally {
    await database.close();
    await made.drop();
    await postgres.stop();
  }
}
