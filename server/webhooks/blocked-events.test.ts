/** Events that wait for an earlier event for the same payment, because the receiver doesn't respond. */
import { beforeEach, expect, it } from 'vitest';
import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { webhookEvents } from '../database/schema.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabaseBefore, useTestDatabase } from '../database/testing.ts';
import { FairShare } from './fair-share.ts';
import { claimDue, LEASE_MS, settle, type ClaimedEvent } from './queue.ts';
import { until } from '../../testing/patience.ts';
import { createTestReceivers, insertTestPayments } from './testing-receivers.ts';

const HOUR = 3600_000;
const database = useTestDatabase();
const start = new Date('2026-01-01T00:00:00Z');
const after = (ms: number) => new Date(start.getTime() + ms);
let applicationId = '';
beforeEach(async () => {
  await database.db.delete(webhookEvents);
  applicationId = (await createTestReceivers(database.db, 1))[0]!.id;
});

/**
 * Stores three events for each of `count` payments. The first one is due for another attempt in an hour, and the others
 * are due now.
 */
async function insertEvents(db: Database, receiver: string, count: number): Promise<void> {
  await insertTestPayments(db, count);
  await db.execute(sql`
    insert into webhook_events (id, application_id, payment_id, sequence, type, body, state, attempts, created_at, next_attempt_at)
    select 'msg_' || ${receiver} || p.id || s, ${receiver}::uuid, p.id, s, 'payment.received', '{}', 'pending',
      case s when 1 then 1 else 0 end, ${start.toISOString()},
      case s when 1 then ${after(HOUR).toISOString()}::timestamptz else ${start.toISOString()}::timestamptz end
    from (select id from payments order by created_at desc limit ${count}) p, generate_series(1, 3) s`);
}
const claim = (at: Date, db: Database = database.db) => claimDue(db, new Map(), 256, at, 32_000_000, new FairShare());
const end = (event: ClaimedEvent, at: Date, error: string | null = null) =>
  settle(database.db, event, { startedAt: at, endedAt: at, status: 200, error, response: null }, 0);
const sequencesOf = async (events: readonly ClaimedEvent[]) => {
  const of = async ({ id }: ClaimedEvent) =>
    (await database.db.select().from(webhookEvents).where(eq(webhookEvents.id, id)))[0]?.sequence;
  return Promise.all(events.map(of));
};
const nextOf = async (sequence: number, db: Database = database.db, receiver = applicationId) =>
  (
    await db
      .select({ next: webhookEvents.nextAttemptAt })
      .from(webhookEvents)
      .where(and(eq(webhookEvents.applicationId, receiver), eq(webhookEvents.sequence, sequence)))
  ).map(({ next }) => next?.getTime());

it('a claim reads at most a hundred waiting events, and none again before the earlier one’s next attempt', async () => {
  const good = (await createTestReceivers(database.db, 1))[0]!.id;
  await insertEvents(database.db, applicationId, 500);
  await insertEvents(database.db, good, 1);
  await database.db.delete(webhookEvents).where(and(eq(webhookEvents.applicationId, good), sql`sequence > 1`));
  await database.onOneConnection(async (db) => {
    // A concurrent autovacuum would change the plans and the counters.
    await db.execute(sql`alter table webhook_events set (autovacuum_enabled = false)`);
    await db.execute(sql`analyze webhook_events`);
    const read = async () => {
      await db.execute(sql`select pg_stat_force_next_flush(), pg_stat_clear_snapshot()`);
      const { rows } = (await db.execute(sql`
        select seq_tup_read + idx_tup_fetch + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid) as n
        from pg_stat_user_tables t where relname = 'webhook_events'`)) as unknown as { rows: [{ n: string }] };
      return Number(rows[0].n);
    };
    const readByClaim = async () => {
      await db.update(webhookEvents).set({ nextAttemptAt: start }).where(eq(webhookEvents.applicationId, good));
      const before = await read();
      expect((await claim(after(1000), db)).map((event) => event.applicationId)).toEqual([good]);
      return (await read()) - before;
    };
    const postponed = async () =>
      (await nextOf(2, db)).concat(await nextOf(3, db)).filter((at) => at !== start.getTime());
    for (let claims = 1; claims <= 10; claims += 1) {
      await readByClaim();
      expect(await postponed()).toEqual(Array(100 * claims).fill(after(HOUR).getTime()));
    }
    // The counters include dead index entries, and how long these remain depends on other transactions.
    await db.execute(sql`vacuum analyze webhook_events`);
    expect(await readByClaim()).toBeLessThan(500);
  }, null);
});

it('a claim postpones waiting events even if the events of other applications fill it', async () => {
  await insertEvents(database.db, applicationId, 25);
  for (let owner = 1; owner <= 6; owner += 1) await createTestReceivers(database.db, 50);
  await database.db.execute(sql`
    insert into webhook_events (id, application_id, sequence, type, body, state, created_at, next_attempt_at)
    select 'msg_' || a.id || n, a.id, n, 'webhook.test', '{}', 'pending', ${start.toISOString()}, ${start.toISOString()}
    from (select id from applications where id <> ${applicationId}::uuid order by created_at desc limit 300) a, generate_series(1, 4) n`);
  await claim(after(1000));
  expect(await nextOf(2)).toEqual(Array(25).fill(after(HOUR).getTime()));
});

it('the next event is due as soon as the earlier one is delivered or abandoned', async () => {
  await insertEvents(database.db, applicationId, 1);
  expect(await claim(start)).toEqual([]);
  for (const [sequence, error] of [
    [1, null],
    [2, 'the last failure'],
    [3, null],
  ] as const) {
    const claimed = await claim(after(HOUR));
    expect(await sequencesOf(claimed)).toEqual([sequence]);
    expect(await claim(after(HOUR))).toEqual([]);
    await end({ ...claimed[0]!, attempts: 9 }, after(HOUR), error);
  }
  expect(await claim(after(100 * HOUR))).toEqual([]);
});

it('an event becomes due by itself if the instance that ended the earlier one didn’t release it', async () => {
  await insertEvents(database.db, applicationId, 1);
  const [first] = await claim(after(HOUR));
  expect(await claim(after(HOUR))).toEqual([]);
  // This is how the previous version of the service ends an event.
  await database.db
    .update(webhookEvents)
    .set({ state: 'delivered', nextAttemptAt: null })
    .where(eq(webhookEvents.id, first!.id));
  expect(await sequencesOf(await claim(after(HOUR + LEASE_MS)))).toEqual([2]);
});

it('the next event doesn’t overtake one that is being sent, even at an instance whose clock is almost a minute ahead', async () => {
  await insertEvents(database.db, applicationId, 1);
  const [first] = await claim(after(HOUR));
  const [ahead, sending] = [59_000, 29_000];
  expect(await claim(after(HOUR + ahead))).toEqual([]);
  expect(await claim(after(HOUR + sending + ahead))).toEqual([]);
  await end(first!, after(HOUR + sending));
  expect(await sequencesOf(await claim(after(HOUR + sending + ahead)))).toEqual([2]);
});

it('an event waits for the earlier one even if its own next attempt is due', async () => {
  await insertEvents(database.db, applicationId, 1);
  await claim(start);
  await database.db
    .update(webhookEvents)
    .set({ nextAttemptAt: start })
    .where(sql`sequence > 1`);
  expect(await claim(after(1000))).toEqual([]);
  expect(await sequencesOf(await claim(after(HOUR)))).toEqual([1]);
});

it('a delivered event doesn’t shorten the delay of a later one that has failed itself', async () => {
  await insertEvents(database.db, applicationId, 1);
  const later = after(5 * HOUR);
  await database.db
    .update(webhookEvents)
    .set({ attempts: 3, nextAttemptAt: later })
    .where(sql`sequence = 2`);
  const [first] = await claim(after(HOUR));
  await end(first!, after(HOUR));
  expect(await nextOf(2)).toEqual([later.getTime()]);
});

it('an event being sent isn’t sent again when an earlier one that was resent is delivered', async () => {
  await insertEvents(database.db, applicationId, 1);
  const set = (sequence: number, values: Partial<typeof webhookEvents.$inferInsert>) =>
    database.db.update(webhookEvents).set(values).where(eq(webhookEvents.sequence, sequence));
  await set(1, { state: 'delivered', nextAttemptAt: null });
  expect(await sequencesOf(await claim(start))).toEqual([2]);
  await set(1, { state: 'pending', nextAttemptAt: after(1000) });
  const [first] = await claim(after(1000));
  await end(first!, after(1100));
  expect(await claim(after(1200))).toEqual([]);
});

it('a claim doesn’t postpone a waiting event that another instance has just claimed', async () => {
  await insertEvents(database.db, applicationId, 1);
  const other = (await createTestReceivers(database.db, 1))[0]!.id;
  await insertEvents(database.db, other, 1);
  await database.db
    .update(webhookEvents)
    .set({ nextAttemptAt: start })
    .where(and(eq(webhookEvents.applicationId, other), eq(webhookEvents.sequence, 1)));
  // Stops the claim after it has selected the other application's event, and before it locks waiting events.
  await database.db.execute(sql`create schema slow`);
  await database.db.execute(sql`
    create function slow.octet_length(body text) returns int language plpgsql as $$ begin
      perform pg_advisory_xact_lock(1);
      return pg_catalog.octet_length(body);
    end $$`);
  await database.onOneConnection(async (db) => {
    await db.execute(sql`set search_path = slow, pg_catalog, public`);
    const claiming = await database.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(1)`);
      const started = claim(start, db);
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
      await until(
        'the claim waits',
        async () => ((await database.db.execute(waiting)) as unknown as { rows: unknown[] }).rows.length > 0,
      );
      const lease = { nextAttemptAt: after(LEASE_MS + 1) };
      await database.db.update(webhookEvents).set(lease).where(eq(webhookEvents.sequence, 2));
      return { started };
    });
    expect(await sequencesOf(await claiming.started)).toEqual([1]);
    await db.execute(sql`reset search_path`);
  }, null);
  expect(await nextOf(2)).toEqual([after(LEASE_MS + 1).getTime()]);
  expect(await nextOf(3)).toEqual([after(HOUR).getTime()]);
  await database.db.execute(sql`drop schema slow cascade`);
});

it('a failed event that was postponed is due as soon as the earlier one is delivered', async () => {
  await insertEvents(database.db, applicationId, 1);
  await database.db.update(webhookEvents).set({ attempts: 3 }).where(eq(webhookEvents.sequence, 2));
  const [first] = await claim(after(HOUR));
  await claim(after(HOUR));
  await end(first!, after(HOUR));
  expect(await sequencesOf(await claim(after(HOUR)))).toEqual([2]);
});

it('the upgrade postpones the waiting events of the version before', async () => {
  const old = await openDatabaseBefore('0018_pending_events');
  try {
    const receiver = (await createTestReceivers(old.db, 1))[0]!.id;
    await insertEvents(old.db, receiver, 2);
    await migrate(old);
    expect(await nextOf(3, old.db, receiver)).toEqual(Array(2).fill(after(HOUR).getTime()));
    expect(await claim(start, old.db)).toEqual([]);
    expect(await claim(after(HOUR), old.db)).toHaveLength(2);
  } finally {
    await old.close();
  }
});
