import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { webhookDeliveries, webhookEvents } from '../database/schema.ts';
import { useTestDatabase } from '../database/testing.ts';
import { listEvents } from './log.ts';
import { KEPT_ATTEMPTS, settle, type ClaimedEvent } from './queue.ts';
import { createTestReceivers } from './testing-receivers.ts';

const database = useTestDatabase();
const now = new Date();
let applicationId = '';
beforeAll(async () => {
  applicationId = (await createTestReceivers(database.db, 1))[0]!.id;
});

/** Stores a test event with 30 attempts, numbered by their durations. */
async function insertEvent(id: string) {
  const event = { id, applicationId, paymentId: null, sequence: 1, type: 'webhook.test' as const, body: '{}' };
  await database.db
    .insert(webhookEvents)
    .values({ ...event, state: 'pending', attempts: 0, createdAt: now, nextAttemptAt: now });
  await database.db.insert(webhookDeliveries).values(
    Array.from({ length: 30 }, (_, i) => ({
      id: randomUUID(),
      eventId: id,
      attemptedAt: new Date(now.getTime() - 60_000 + i),
      durationMs: i,
      status: 200,
    })),
  );
  return { ...event, attempts: 0, lease: now } as unknown as ClaimedEvent;
}
const storedOf = (id: string) => database.db.$count(webhookDeliveries, eq(webhookDeliveries.eventId, id));

it('lists each event’s newest 20 attempts, oldest first', async () => {
  await insertEvent('msg_a');
  await insertEvent('msg_b');
  const page = await listEvents(database.db, applicationId);
  expect(page?.events.map(({ deliveries }) => deliveries.map(({ durationMs }) => durationMs))).toEqual(
    Array(2).fill(Array.from({ length: KEPT_ATTEMPTS }, (_, i) => 10 + i)),
  );
});

it('a new attempt deletes the same event’s older attempts beyond the newest 20', async () => {
  const [one, other] = [await insertEvent('msg_c'), await insertEvent('msg_d')];
  const ended = { startedAt: now, endedAt: new Date(now.getTime() + 99), status: 200, error: null, response: null };
  await settle(database.db, one, ended, 0);
  expect([await storedOf(one.id), await storedOf(other.id)]).toEqual([KEPT_ATTEMPTS, 30]);
  const events = (await listEvents(database.db, applicationId))?.events;
  expect(events?.find(({ id }) => id === one.id)?.deliveries.at(-1)?.durationMs).toBe(99);
});
