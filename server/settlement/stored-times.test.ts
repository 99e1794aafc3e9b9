/** Times stored while an instance's clock was ahead, after the clock is corrected. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { pino } from 'pino';
import { startBackgroundWork } from '../background-work.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import { useTestDatabase } from '../database/testing.ts';
import { assets, payments, webhookEvents } from '../database/schema.ts';
import { insertPayment } from '../payments/testing-payments.ts';
import { createTestReceivers } from '../webhooks/testing-receivers.ts';
import { correctStoredTimes } from './stored-times.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3600_000];
const DAY = 24 * HOUR;
const MAX_DELAY_MS = 5 * MINUTE;
const CLOCK_DIFFERENCE = MINUTE;
const now = new Date('2026-01-01T00:00:00Z');
const after = (ms: number) => new Date(now.getTime() + ms);

const database = useTestDatabase();
const log = pino({ level: 'silent' });
let shop: Awaited<ReturnType<typeof createTestReceivers>>[number];
beforeEach(async () => {
  await database.db.execute(sql`truncate payments, assets, webhook_events cascade`);
  shop = (await createTestReceivers(database.db, 1))[0]!;
});

const insertMint = (nextCheckAt: Date) =>
  database.db.insert(assets).values({
    id: randomUUID(),
    ownerId: shop.ownerId,
    name: 'Garden hours',
    description: '',
    supply: 1n,
    decimals: 0,
    paymailAlias: 'garden',
    state: 'minting',
    tokenId: `${'1'.repeat(64)}_0`,
    createdAt: now,
    updatedAt: now,
    nextCheckAt,
  });
const insertEvent = (nextAttemptAt: Date, change: Partial<typeof webhookEvents.$inferInsert> = {}) =>
  database.db.insert(webhookEvents).values({
    id: 'msg_1',
    applicationId: shop.id,
    sequence: 1,
    type: 'payment.received',
    body: '{}',
    state: 'pending',
    createdAt: now,
    nextAttemptAt,
    ...change,
  });
const insertToken = (nextTokenCheckAt: Date) => insertPayment(database.db, { status: 'COMPLETED', nextTokenCheckAt });
const timeIn = async (column: PgColumn) =>
  (await database.db.select({ time: column }).from(column.table as PgTable))[0]?.time as Date;

describe('after a clock that was ahead is corrected', () => {
  const { nextCheckAt } = payments;
  it.each<[string, number, PgColumn, (time: Date) => Promise<unknown>]>([
    ['an open payment', MAX_DELAY_MS, nextCheckAt, (at) => insertPayment(database.db, { nextCheckAt: at })],
    [
      'a failed payment',
      6 * HOUR,
      nextCheckAt,
      (at) => insertPayment(database.db, { status: 'FAILED', nextCheckAt: at }),
    ],
    ['a payment’s token', MAX_DELAY_MS + MINUTE, payments.nextTokenCheckAt, insertToken],
    ['a mint', MAX_DELAY_MS, assets.nextCheckAt, insertMint],
    ['a new webhook', 90 * SECOND, webhookEvents.nextAttemptAt, insertEvent],
    ['a webhook that failed once', 90 * SECOND, webhookEvents.nextAttemptAt, (at) => insertEvent(at, { attempts: 1 })],
    [
      'a webhook that failed nine times',
      1.1 * 36 * HOUR,
      webhookEvents.nextAttemptAt,
      (at) => insertEvent(at, { attempts: 9 }),
    ],
    [
      'a webhook that waits for an earlier one',
      1.1 * 36 * HOUR,
      webhookEvents.nextAttemptAt,
      (at) => insertEvent(at, { postponedUntil: at }),
    ],
  ])('%s is due if it waits longer than the service ever delays it', async (_, longest, column, insert) => {
    const legal = after(longest + CLOCK_DIFFERENCE);
    await insert(legal);
    expect(await correctStoredTimes(database.db, now, MAX_DELAY_MS)).toBe(0);
    expect(await timeIn(column)).toEqual(legal);
    const earlier = new Date(now.getTime() - 1);
    expect(await correctStoredTimes(database.db, earlier, MAX_DELAY_MS)).toBe(1);
    expect(await timeIn(column)).toEqual(earlier);
  });

  it('a payment that another instance is checking isn’t waited for', async () => {
    await insertPayment(database.db, { nextCheckAt: after(DAY) });
    await database.db.transaction(async (tx) => {
      await tx.select().from(payments).for('update');
      expect(await correctStoredTimes(database.db, now, MAX_DELAY_MS)).toBe(0);
    });
    expect(await correctStoredTimes(database.db, now, MAX_DELAY_MS)).toBe(1);
  });

  it('a payment is completed soon after the service starts', async () => {
    const real = new Date();
    const { id, txid } = await insertPayment(database.db, { nextCheckAt: new Date(real.getTime() + DAY) });
    const transaction = async () => ({ txid, txStatus: 'MINED' as const });
    const work = await startBackgroundWork({
      database,
      arc: { transaction, followed: [] } as unknown as ArcClient,
      source: { transaction: async () => null } as never,
      log,
      now: () => real,
      lifecycle: { stopping: false } as never,
      deliveryProgress: { caughtUpAt: real },
      baseUrl: 'http://localhost',
      network: 'devnet',
      maxDelayMs: MAX_DELAY_MS,
      allowPrivate: false,
    });
    onTestFinished(async () => void (await work.stop()));
    const statusNow = async () => (await database.db.select().from(payments).where(eq(payments.id, id)))[0]?.status;
    await vi.waitFor(async () => expect(await statusNow()).toBe('COMPLETED'), 10_000);
  });
});

it('the search for wrong times reads the tables only through indexes', async () => {
  const { db } = database;
  await db.execute(sql`
    insert into payments (id, reported, txid, normalized_txid, rawtx, amount, currency, satoshis, status, created_at, updated_at)
    select gen_random_uuid(), true, i::text, i::text, '', '1', 'BSV', 1, 'COMPLETED', now(), now()
    from generate_series(1, 2000) i`);
  await db.execute(sql`
    insert into webhook_events (id, application_id, sequence, type, body, state, created_at)
    select 'msg_' || i, ${shop.id}::uuid, 1, 'payment.received', '{}', 'delivered', now() from generate_series(1, 2000) i`);
  await database.onOneConnection(async (one) => {
    await one.execute(sql`analyze payments`);
    await one.execute(sql`analyze webhook_events`);
    const scans = async () => {
      const { rows } = (await one.execute(sql`
        select relname as name, seq_scan::int as scans from pg_stat_xact_user_tables
        where relname in ('payments', 'webhook_events') order by 1`)) as unknown as { rows: unknown[] };
      return rows;
    };
    await one.transaction(async (tx) => {
      const before = await scans();
      await correctStoredTimes(tx, now, MAX_DELAY_MS);
      expect(await scans()).toEqual(before);
    });
  });
});
