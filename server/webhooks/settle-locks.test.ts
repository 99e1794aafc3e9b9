/** The result of an attempt is stored without waiting for locks on the payment's other events. */
import { beforeEach, expect, it } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import { deleteApplication } from '../applications/store.ts';
import { webhookEvents } from '../database/schema.ts';
import { useTestDatabase } from '../database/testing.ts';
import { until } from '../../testing/patience.ts';
import { FairShare } from './fair-share.ts';
import { claimDue, LEASE_MS, settle, type ClaimedEvent } from './queue.ts';
import { createTestReceivers, insertTestPayments } from './testing-receivers.ts';

const database = useTestDatabase();
const start = new Date();
const after = (ms: number) => new Date(start.getTime() + ms);
let receiver: Awaited<ReturnType<typeof createTestReceivers>>[number];
let first: ClaimedEvent;

beforeEach(async () => {
  await database.db.delete(webhookEvents);
  receiver = (await createTestReceivers(database.db, 1))[0]!;
  await insertTestPayments(database.db, 1);
  await database.db.execute(sql`
    insert into webhook_events (id, application_id, payment_id, sequence, type, body, state, created_at, next_attempt_at)
    select 'msg_' || s, ${receiver.id}::uuid, p.id, s, 'payment.received', '{}', 'pending', ${start.toISOString()}, ${start.toISOString()}
    from (select id from payments order by created_at desc limit 1) p, generate_series(1, 2) s`);
  first = (await claim())[0]!;
});

const claim = (db = database.db, at = start) => claimDue(db, new Map(), 256, at, 32_000_000, new FairShare());
const storeResult = () =>
  settle(
    database.db,
    first,
    { startedAt: after(100), endedAt: after(200), status: 200, error: null, response: null },
    0,
  );
const stateOf = async (id: string) =>
  (await database.db.select().from(webhookEvents).where(eq(webhookEvents.id, id)))[0]?.state;

it('a result is stored while another instance’s claim holds the next event', async () => {
  await database.db.transaction(async (other) => {
    await claim(other, after(50));
    await storeResult();
    expect(await stateOf('msg_1')).toBe('delivered');
  });
  expect((await claim(database.db, after(50 + LEASE_MS))).map(({ id }) => id)).toEqual(['msg_2']);
});

it('an application can be deleted while a result is stored', async () => {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const untilWaiting = (what: string, count: number) =>
    until(
      what,
      async () => ((await database.db.execute(waiting)) as unknown as { rows: unknown[] }).rows.length === count,
    );
  const ended: Promise<void>[] = [];
  await database.db.transaction(async (log) => {
    await log.execute(sql`lock table webhook_deliveries in share mode`);
    ended.push(storeResult());
    await untilWaiting('the result has locked its event', 1);
    ended.push(deleteApplication(database.db, receiver.ownerId, receiver.id));
    await untilWaiting('the deletion has locked the other event', 2);
  });
  await Promise.all(ended);
  expect(await database.db.$count(webhookEvents)).toBe(0);
});
