import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { createApplication } from '../applications/store.ts';
import { webhookEvents } from '../database/schema.ts';
import type { Session } from '../../protocol/http/api.ts';
import { createTestReport, proveReport } from '../payment-reports/testing-report.ts';
import { bearer, createTestWallet, register } from '../testing.ts';
import { startDelivery } from './deliver.ts';
import { claimDue } from './queue.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';
import { startTestReceiver, type TestReceiver } from './testing-receiver.ts';
import { useService } from '../testing-service.ts';

const LARGE = 20_000_000;

/** Anyone can make large payments through an application, and its receiver could be slow on purpose. */
describe('webhooks with large bodies', () => {
  const { app, arc, database } = useService();
  let payer: Session;
  let receiver: TestReceiver;
  const wallet = createTestWallet();
  const now = () => new Date(app.clock.ms);

  beforeAll(async () => {
    payer = await register(app, wallet, 'payer');
  });
  beforeEach(async () => {
    receiver = await startTestReceiver();
  });
  afterEach(async () => {
    await receiver.close();
    await database.db.update(webhookEvents).set({ state: 'given-up', nextAttemptAt: null });
  });

  const makeApplication = async () =>
    (
      await createApplication(
        database.db,
        Number(payer.user.id),
        {
          name: 'A Shop',
          url: 'https://shop.example',
          description: '',
          redirectUri: null,
          webhookUrl: receiver.url,
          requirePkce: false,
          requireSecret: false,
        },
        now(),
      )
    ).application;
  const makeEvents = async (
    { id, clientIdentifier }: { id: string; clientIdentifier: string },
    number: number,
    bytes: number,
  ) => {
    for (let i = 0; i < number; i += 1) {
      const made = createTestReport([200_000n], wallet.publicKey);
      arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
      const report = proveReport({ ...made.report, id: randomUUID(), clientIdentifier }, wallet.publicKey, made.key);
      expect((await app.post('/api/v2/payments', report, bearer(payer))).status).toBe(201);
    }
    await database.db
      .update(webhookEvents)
      .set({ body: sql`left(${webhookEvents.body}, -1) || ',"more":"' || repeat('x', ${bytes}) || '"}'` })
      .where(eq(webhookEvents.applicationId, id));
  };
  const isLarge = ({ body }: { body: string }) => body.length > LARGE;

  it('get loaded only a few at a time, and don’t delay small ones', async () => {
    await makeEvents(await makeApplication(), 4, LARGE);
    await makeEvents(await makeApplication(), 4, LARGE);
    app.clock.ms += 1000;
    const shop = await makeApplication();
    await makeEvents(shop, 2, 10);
    const claimed = await claimDue(database.db, new Map(), 64, now());
    expect([
      claimed.filter(isLarge).length,
      claimed.filter(({ applicationId }) => applicationId === shop.id).length,
    ]).toEqual([2, 2]);
    await makeEvents(shop, 1, 10);
    expect((await claimDue(database.db, new Map(), 64, now(), 0)).map(({ applicationId }) => applicationId)).toEqual([
      shop.id,
    ]);
    // The other events are still due.
    expect((await claimDue(database.db, new Map(), 64, now())).filter(isLarge).length).toBe(2);
  });

  it('get delivered two at a time, without delaying small ones', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    receiver.answer = async (request) => {
      if (isLarge(request)) await released;
      return 200;
    };
    const larges = () => receiver.received.filter(isLarge).length;
    await makeEvents(await makeApplication(), 4, LARGE);
    const delivery = startDelivery({
      progress: { caughtUpAt: new Date() },
      db: database.db,
      now,
      log: pino({ level: 'silent' }),
      allowPrivate: true,
      timeoutMs: PATIENCE_MS,
    });
    try {
      await vi.waitFor(() => expect(larges()).toBe(2));
      await makeEvents(await makeApplication(), 1, 10);
      await vi.waitFor(() => expect(receiver.received.length - larges()).toBe(1));
      expect(larges()).toBe(2);
      release();
      await vi.waitFor(() => expect(larges()).toBe(4));
    } finally {
      release();
      await delivery.stop();
    }
  });
});
