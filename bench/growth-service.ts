/**
 * Compares a service that has many payments to one that has a thousandth as many, both on a real PostgreSQL server:
 * every page and list of payments over HTTP, an export, and the periodic jobs.
 */
import { eq } from 'drizzle-orm';
import { deleteUnpaidDestinations } from '../server/destinations/destinations.ts';
import { openPostgres, type Database, type OpenDatabase } from '../server/database/connect.ts';
import { migrate } from '../server/database/migrate.ts';
import { payments, webhookEvents } from '../server/database/schema.ts';
import { createDatabase, startPostgres } from '../server/database/testing-postgres.ts';
import { writeCursor } from '../server/payments/read.ts';
import { indexOlderPayments } from '../server/payments/search/search-index.ts';
import { followDue } from '../server/settlement/follow.ts';
import { startTestApp, type TestApp } from '../server/testing.ts';
import { deleteOldEvents } from '../server/webhooks/log.ts';
import { seedService, type SeededService } from './growth-seed.ts';
import { median, type Row } from './row.ts';

const [WARM_UP, RUNS] = [4, 15];
const JOB_RUNS = 9;
const DAY_MS = 86_400_000;
const TRANSACTION = Buffer.from(
  `0100000001${'11'.repeat(32)}0000000000ffffffff01e8030000000000001976a914${'22'.repeat(20)}88ac00000000`,
  'hex',
);

interface Seeded extends SeededService {
  app: TestApp;
  database: OpenDatabase;
  middle: { seller: string; payer: string; event: string };
  payment: string;
}

/** Measures both services alternately so that other load on the machine affects both. */
export async function growthOfService(many: number): Promise<Row[]> {
  const few = Math.max(100, Math.round(many / 1000));
  const postgres = await startPostgres();
  const closers: (() => Promise<unknown>)[] = [() => postgres.stop()];
  try {
    const seeded: Seeded[] = [];
    for (const count of [few, many]) seeded.push(await open(postgres.url, count, closers));
    const size = many.toLocaleString('en');
    const rows: Row[] = [];
    const compare = async (what: string, work: (one: Seeded) => Promise<unknown>, runs = RUNS, warmUp = WARM_UP) => {
      const times: [number[], number[]] = [[], []];
      for (let run = 0; run < warmUp + runs; run += 1)
        for (const [i, one] of seeded.entries()) {
          const start = performance.now();
          await work(one);
          if (run >= warmUp) times[i]?.push(performance.now() - start);
        }
      const [small, large] = [median(times[0]), median(times[1])];
      rows.push({
        what: `service with ${size} payments: ${what}`,
        measured: `${large.toFixed(1)} ms, with ${few.toLocaleString('en')} ${small.toFixed(1)} ms`,
        ratio: large / small,
        goal: '≤ 2 times the time with a thousandth',
        holds: large <= 2 * small,
      });
    };
    for (const [what, request] of Object.entries(REQUESTS))
      await compare(what, async (one) => {
        const [headers, path] = request(one);
        const { status, body } = await one.app.get(path, headers);
        if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
      });
    for (const [what, job] of Object.entries(JOBS)) await compare(what, job, JOB_RUNS, 1);
    rows.push(await exported(seeded));
    return rows;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

async function open(serverUrl: string, count: number, closers: (() => Promise<unknown>)[]): Promise<Seeded> {
  const made = await createDatabase(serverUrl);
  closers.push(() => made.drop());
  const database = await openPostgres(made.url, undefined, undefined, null);
  closers.push(() => database.close());
  await migrate(database);
  const app = await startTestApp(database, { rateLimits: 'off' });
  closers.push(() => app.close());
  const seeded = await seedService(app, database.db, count);
  const { db } = database;
  const placeOf = async (where: ReturnType<typeof eq>) => {
    const [one] = await db
      .select({ id: payments.id, createdAt: payments.createdAt })
      .from(payments)
      .where(where)
      .orderBy(payments.createdAt)
      .offset(Math.floor(count / 20))
      .limit(1);
    if (!one) throw new Error('the middle payment is missing');
    return one;
  };
  const seller = await placeOf(eq(payments.clientIdentifier, seeded.application.clientIdentifier));
  await db.update(payments).set({ rawtx: TRANSACTION }).where(eq(payments.id, seller.id));
  const payer = await placeOf(eq(payments.userId, seeded.payer.id));
  const [event] = await db
    .select({ id: webhookEvents.id, createdAt: webhookEvents.createdAt })
    .from(webhookEvents)
    .orderBy(webhookEvents.createdAt)
    .offset(Math.floor(count / 20))
    .limit(1);
  return {
    ...seeded,
    app,
    database,
    payment: seller.id,
    middle: {
      seller: writeCursor(seller),
      payer: writeCursor(payer),
      event: `${event?.createdAt.getTime()}_${event?.id}`,
    },
  };
}

type Request = [headers: Record<string, string>, path: string];
const ofApplication = ({ application }: Seeded) => `/account/applications/${application.id}`;

const REQUESTS: Record<string, (one: Seeded) => Request> = {
  'page of an application': (one) => [one.seller.pages, ofApplication(one)],
  'application, payments': (one) => [one.seller.pages, `${ofApplication(one)}/payments`],
  'application, payments, deep': (one) => [
    one.seller.pages,
    `${ofApplication(one)}/payments?cursor=${one.middle.seller}`,
  ],
  'application, failed payments': (one) => [one.seller.pages, `${ofApplication(one)}/payments?status=FAILED`],
  'application, payments of a button': (one) => [one.seller.pages, `${ofApplication(one)}/payments?button=Label+4`],
  'application, webhooks': (one) => [one.seller.pages, `${ofApplication(one)}/webhooks`],
  'application, webhooks, deep': (one) => [
    one.seller.pages,
    `${ofApplication(one)}/webhooks?cursor=${one.middle.event}`,
  ],
  'account of a seller': (one) => [one.seller.pages, '/account'],
  'payments of a seller': (one) => [one.seller.pages, '/account/payments'],
  'failed payments of a seller': (one) => [one.seller.pages, '/account/payments?status=FAILED'],
  'payments of a seller, deep': (one) => [one.seller.pages, `/account/payments?cursor=${one.middle.seller}`],
  'payments of a payer': (one) => [one.payer.pages, '/account/payments'],
  'failed payments of a payer': (one) => [one.payer.pages, '/account/payments?status=FAILED'],
  'payments of a payer, deep': (one) => [one.payer.pages, `/account/payments?cursor=${one.middle.payer}`],
  'one payment': (one) => [one.seller.pages, `/account/payments/${one.payment}`],
  'v2, list of the application': (one) => [one.client, '/api/v2/payments'],
  'v2, list of the application, deep': (one) => [one.client, `/api/v2/payments?cursor=${one.middle.seller}`],
  'v2, list of the application, oldest first': (one) => [one.client, '/api/v2/payments?sort=createdAt'],
  'v2, list of the application, failed': (one) => [one.client, '/api/v2/payments?status=FAILED'],
  'v2, list of the application, pending': (one) => [one.client, '/api/v2/payments?status=PENDING'],
  'v2, list of the application, one button': (one) => [one.client, '/api/v2/payments?buttonId=order-77'],
  'v2, list of a user, failed': (one) => [one.payer.user, '/api/v2/payments?status=FAILED'],
  'v2, list of a user, pending': (one) => [one.payer.user, '/api/v2/payments?status=PENDING'],
  'v2, list of a seller': (one) => [one.seller.wallet, '/api/v2/me/payments'],
  'v2, list of a seller, pending': (one) => [one.seller.wallet, '/api/v2/me/payments?status=PENDING'],
  'v2, one payment': (one) => [one.client, `/api/v2/payments/${one.payment}`],
  'v2, webhook events': (one) => [one.seller.wallet, `/api/v2/me/applications/${one.application.id}/webhook-events`],
  'v2, received': (one) => [one.seller.wallet, '/api/v2/me/received'],
  'v1, list of the application': (one) => [one.client, '/api/v1/payments'],
  'v1, list of a payer, with its number of pages': (one) => [one.payer.user, `/api/v1/users/${one.payer.id}/payments`],
  'v1, list of a seller, with its number of pages': (one) => [
    one.seller.user,
    `/api/v1/users/${one.seller.id}/payments`,
  ],
};

const later = ({ app }: Seeded) => new Date(app.clock.ms + 60 * DAY_MS);
const db = ({ database }: Seeded): Database => database.db;

const JOBS: Record<string, (one: Seeded) => Promise<unknown>> = {
  'migrations, none missing': (one) => migrate(one.database),
  'cleaning up unpaid destinations': (one) => deleteUnpaidDestinations(db(one), later(one)),
  'cleaning up old events': (one) => deleteOldEvents(db(one), new Date(one.app.clock.ms)),
  'following payments': (one) =>
    followDue({
      db: db(one),
      arc: null as never,
      now: () => new Date(one.app.clock.ms),
      log: null as never,
      maxDelayMs: 1000,
      callback: null,
    }),
  'at the start: searching for payments that are not indexed': (one) => indexOlderPayments(db(one), () => false),
};

/** Measures an export's time per row and memory use. */
async function exported(seeded: readonly Seeded[]): Promise<Row> {
  const figures = [];
  for (const one of seeded) {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let most = before;
    const start = performance.now();
    const response = await fetch(`${one.app.url}${ofApplication(one)}/payments.csv?from=2024-12-01&to=2025-01-02`, {
      headers: one.seller.pages,
    });
    let [rows, first] = [0, 0];
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      first ||= performance.now() - start;
      for (const byte of chunk) rows += byte === 10 ? 1 : 0;
      most = Math.max(most, process.memoryUsage().rss);
    }
    figures.push({ rows, first, each: (performance.now() - start) / rows, grew: (most - before) / 1e6 });
  }
  const [small, large] = figures;
  if (!small || !large) throw new Error('nothing was exported');
  return {
    what: 'export of all payments of an application, time per row',
    measured: `${(large.each * 1000).toFixed(0)} µs of ${large.rows.toLocaleString('en')} rows (the first after ${large.first.toFixed(0)} ms, ${large.grew.toFixed(0)} MB more in memory), of ${small.rows} ${(small.each * 1000).toFixed(0)} µs (${small.first.toFixed(0)} ms)`,
    ratio: large.each / small.each,
    goal: '≤ 2 times the time with a thousandth',
    holds: large.each <= 2 * small.each,
  };
}
