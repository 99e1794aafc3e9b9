/** Events whose body is stored once for all of their receivers. */
import { beforeEach, expect, it } from 'vitest';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Application } from '../applications/store.ts';
import { applications, payments, users, webhookBodies, webhookEvents } from '../database/schema.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabaseBefore, useTestDatabase } from '../database/testing.ts';
import { createTestDelivery } from '../received/testing-delivery.ts';
import { finishPayment } from '../settlement/payment-status.ts';
import { deleteOldEvents, sentBodiesOf } from './log.ts';
import { claimDue } from './queue.ts';
import { createTestReceivers, insertTestPayments } from './testing-receivers.ts';

const database = useTestDatabase();
const now = new Date();
let receivers: Application[] = [];
beforeEach(async () => {
  await database.db.delete(webhookEvents);
  await database.db.delete(webhookBodies);
  receivers = await createTestReceivers(database.db, 3);
});

/** Delivers a payment to the receivers' owner, with `dataBytes` bytes of data. Returns the payment. */
async function receive(dataBytes: number) {
  const ownerId = receivers[0]!.ownerId;
  const [owner] = await database.db.select().from(users).where(eq(users.id, ownerId));
  const made = await createTestDelivery(database.db, ownerId, `${owner!.handle}@localhost`, now, { dataBytes });
  expect(await made.deliver()).toBe('stored');
  const [payment] = await database.db.select().from(payments).where(eq(payments.txid, made.received.txid));
  return { ...payment!, hex: Buffer.from(made.received.rawtx).toString('hex') };
}
const inlineBytes = async () => {
  const [found] = await database.db
    .select({ bytes: sql<number>`coalesce(sum(octet_length(${webhookEvents.body})), 0)`.mapWith(Number) })
    .from(webhookEvents);
  return found?.bytes;
};
const bodyCount = () => database.db.$count(webhookBodies);

it('a large body is stored once for all applications, which all get it', async () => {
  const { id, hex } = await receive(50_000);
  expect([await database.db.$count(webhookEvents), await inlineBytes(), await bodyCount()]).toEqual([3, 0, 1]);
  const claimed = await claimDue(database.db, new Map(), 64, now);
  expect(new Set(claimed.map((event) => event.applicationId))).toEqual(new Set(receivers.map((one) => one.id)));
  for (const { body } of claimed) expect(JSON.parse(body)).toMatchObject({ data: { payment: { id, rawtx: hex } } });
  const shown = await sentBodiesOf(database.db, [claimed[0]!.id]);
  expect([...shown.values()]).toEqual([{ text: claimed[0]!.body.slice(0, 4_000), cut: true }]);
  await finishPayment(database.db, id, { status: 'COMPLETED', description: null }, now);
  expect([await database.db.$count(webhookEvents), await inlineBytes(), await bodyCount()]).toEqual([6, 0, 2]);
});

it('a shared body counts against the limit for large bodies once per attempt', async () => {
  await receive(60_000);
  const claimed = await claimDue(database.db, new Map(), 64, now, 130_000);
  expect(claimed).toHaveLength(2);
});

it('a small body stays in its events, where the service’s previous version finds it', async () => {
  await receive(0);
  expect(await bodyCount()).toBe(0);
  expect(await database.db.$count(webhookEvents, isNull(webhookEvents.body))).toBe(0);
});

it('a body is deleted after its last event', async () => {
  await receive(50_000);
  const [deleted, ...others] = receivers;
  await database.db.delete(applications).where(eq(applications.id, deleted!.id));
  await deleteOldEvents(database.db, now);
  expect([await database.db.$count(webhookEvents), await bodyCount()]).toEqual([2, 1]);
  const [first, last] = others.map((one) => eq(webhookEvents.applicationId, one.id));
  await database.db.update(webhookEvents).set({ state: 'delivered', nextAttemptAt: null }).where(and(first));
  const later = new Date(now.getTime() + 91 * 24 * 3600_000);
  await deleteOldEvents(database.db, later);
  expect([await database.db.$count(webhookEvents), await bodyCount()]).toEqual([1, 1]);
  await database.db.update(webhookEvents).set({ state: 'delivered', nextAttemptAt: null }).where(and(last));
  await deleteOldEvents(database.db, later);
  expect([await database.db.$count(webhookEvents), await bodyCount()]).toEqual([0, 0]);
});

it('events of the version before keep their bodies', async () => {
  const old = await openDatabaseBefore('0019_webhook_bodies');
  try {
    const [receiver] = await createTestReceivers(old.db, 1);
    await insertTestPayments(old.db, 1);
    await old.db.execute(sql`
      insert into webhook_events (id, application_id, payment_id, sequence, type, body, state, created_at, next_attempt_at)
      select 'msg_old', ${receiver!.id}::uuid, id, 1, 'payment.received', '{"old":true}', 'pending', ${now.toISOString()}, ${now.toISOString()}
      from payments`);
    await migrate(old);
    expect((await claimDue(old.db, new Map(), 64, now)).map(({ body }) => body)).toEqual(['{"old":true}']);
    await deleteOldEvents(old.db, now);
    expect(await sentBodiesOf(old.db, ['msg_old'])).toEqual(
      new Map([['msg_old', { text: '{"old":true}', cut: false }]]),
    );
  } finally {
    await old.close();
  }
});
