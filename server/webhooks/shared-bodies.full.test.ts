import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { MAX_APPLICATIONS } from '../../protocol/http/applications.ts';
import type { Application } from '../applications/store.ts';
import { applications, payments, webhookBodies, webhookEvents } from '../database/schema.ts';
import { useTestDatabase } from '../database/testing.ts';
import { createTestDelivery } from '../received/testing-delivery.ts';
import { finishPayment } from '../settlement/payment-status.ts';
import { createTestReceivers } from './testing-receivers.ts';

const database = useTestDatabase();
const now = new Date();
let receivers: Application[] = [];
beforeEach(async () => {
  await database.db.delete(webhookEvents);
  await database.db.delete(webhookBodies);
});

const deliver = async (dataBytes: number) => {
  const { ownerId } = receivers[0]!;
  const made = await createTestDelivery(database.db, ownerId, 'keeper@localhost', now, { dataBytes });
  return made.deliver();
};

it('a transaction of 10 MB for fifty applications is stored once per event, without a large statement', async () => {
  receivers = await createTestReceivers(database.db, MAX_APPLICATIONS);
  expect(await deliver(10_000_000)).toBe('stored');
  const [payment] = await database.db.select({ id: payments.id }).from(payments);
  expect(await finishPayment(database.db, payment!.id, { status: 'COMPLETED', description: null }, now)).toBe(true);
  const bytes = sql<number>`sum(octet_length(body))`.mapWith(Number);
  const [bodies] = await database.db.select({ bytes }).from(webhookBodies);
  expect(bodies?.bytes).toBeLessThan(50_000_000);
  expect(await database.db.select({ bytes: sql`sum(octet_length(body))` }).from(webhookEvents)).toEqual([
    { bytes: null },
  ]);
  expect(await database.db.$count(webhookEvents)).toBe(2 * MAX_APPLICATIONS);
});

it('a payment with more receivers than a statement has parameters for is stored', async () => {
  receivers = await createTestReceivers(database.db, 1);
  for (let i = 0; i < 8; i += 1)
    await database.db.insert(applications).values(
      Array.from({ length: 1_000 }, () => ({
        ...receivers[0]!,
        id: randomUUID(),
        clientIdentifier: randomUUID(),
        oauthIdentifier: randomUUID(),
      })),
    );
  expect(await deliver(0)).toBe('stored');
  expect(await database.db.$count(webhookEvents)).toBe(8_001);
});
