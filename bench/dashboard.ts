/** A merchant's page of payments: with 100,000 payments against that with 1,000, over HTTP on a real PostgreSQL. */
import { openPostgres } from '../server/database/connect.ts';
import { migrate } from '../server/database/migrate.ts';
import { createDatabase, startPostgres } from '../server/database/testing-postgres.ts';
import { seedSales } from '../server/payments/testing-sales.ts';
import { createTestWallet, register, registerApplication, signInOnPages, startTestApp } from '../server/testing.ts';
import { median } from './median.ts';
import type { Row } from './row.ts';

const [FEW, MANY] = [1000, 100_000];
const [WARM_UP, RUNS] = [20, 100];
const DAYS = 30;
/** What is asked for, by what the row says of it. */
const QUERIES = {
  'a page of the dashboard': '',
  'the same, of one button': '&button=Label+4',
  'the same, of one status': '&status=FAILED',
  'the same, of one payer': '&search=payer7%40example.com',
};

/** Measures both sizes in turns, so that what else the machine does slows both. */
export async function dashboard(): Promise<Row[]> {
  const postgres = await startPostgres();
  const made = await createDatabase(postgres.url);
  const database = await openPostgres(made.url);
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
      const timed = async (id: string, query: string) => {
        const start = performance.now();
        const { status, body } = await app.send('GET', `/account/applications/${id}/payments?x=${query}`, undefined, {
          Cookie,
        });
        if (status !== 200 || !body.includes('payment-row')) throw new Error('that is no page of payments');
        return performance.now() - start;
      };
      const rows: Row[] = [];
      for (const [what, query] of Object.entries(QUERIES)) {
        const times: [number[], number[]] = [[], []];
        for (let run = 0; run < WARM_UP + RUNS; run += 1)
          for (const [i, { id }] of [few, many].entries()) {
            const time = await timed(id, query);
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
