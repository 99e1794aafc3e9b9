import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { asc, eq } from 'drizzle-orm';
import { pino } from 'pino';
import type { Session } from '../../protocol/http/api.ts';
import type { NetworkTransaction } from '../../protocol/network/arc.ts';
import { createArcClient, type ArcClient, type ArcOptions } from '../chain/arc-client.ts';
import { startTestArc, type TestArc } from '../chain/testing-arc.ts';
import { paymentSums, webhookEvents } from '../database/schema.ts';
import { createTestReport, proveReport } from '../payment-reports/testing-report.ts';
import { verifyPayment, VerificationError, type Expectation } from '../sdk/index.ts';
import { bearer, createTestWallet, register, registerApplication, type TestApplication } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { storedBody } from '../webhooks/outbox.ts';
import { followDue } from './follow.ts';
import { checkSoon } from './payment-status.ts';

const MINUTE = 60_000;
const DAY = 24 * 3600_000;

describe('a payment that the network had seen', () => {
  const { app, arc, database } = useService();
  let [second, payer, shop] = [{} as TestArc, {} as Session, {} as TestApplication];
  const wallet = createTestWallet();

  beforeAll(async () => {
    second = await startTestArc();
    payer = await register(app, wallet, 'payer');
    const keeper = await register(app, createTestWallet(), 'keeper');
    shop = await registerApplication(app, keeper, { webhookUrl: 'https://shop.example/hook' });
  });
  afterAll(() => second.close());
  // A separate clock for the follower, because API sessions expire before three days have passed.
  let later = 0;
  beforeEach(() => {
    later = 0;
    Object.assign(arc, { fault: null, refusesTransactions: false });
    Object.assign(second, { fault: null, refusesTransactions: false, callbacks: [] });
  });

  const pay = async () => {
    const made = createTestReport([200_000n], wallet.publicKey);
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    const report = proveReport({ ...made.report, clientIdentifier: shop.clientIdentifier }, wallet.publicKey, made.key);
    expect((await app.post('/api/v2/payments', report, bearer(payer))).status).toBe(201);
    return { id: report.id, txid: made.txid, rawtx: report.rawtx, to: report.outputs[0]?.to ?? '' };
  };
  const now = () => new Date(app.clock.ms + later);
  const followWith = (client: ArcClient) =>
    followDue({
      db: database.db,
      arc: client,
      now,
      log: pino({ level: 'silent' }),
      maxDelayMs: MINUTE,
      callback: null,
    });
  const follow = async (after = MINUTE, options: ArcOptions = {}) => {
    later += after;
    await followWith(createArcClient(arc.url, options));
  };
  const both = () => ({ others: [second.url] });
  const shown = async (id: string) => {
    const { payment } = (await app.get(`/api/v2/payments/${id}`, bearer(payer))).body;
    return [payment.status, payment.network];
  };
  const eventsOf = async (id: string) => {
    const events = await database.db
      .select({ type: webhookEvents.type, body: storedBody })
      .from(webhookEvents)
      .where(eq(webhookEvents.paymentId, id))
      .orderBy(asc(webhookEvents.sequence));
    return events.map(({ type, body }) => [type, JSON.parse(body).data.payment.network]);
  };
  const verify = ({ id, to }: { id: string; to: string }, more: Partial<Expectation> = {}) => {
    const { clientIdentifier, clientSecret } = shop;
    const wanted = { to, amount: '0.10', currency: 'USD', ...more };
    return verifyPayment({ apiUrl: app.url, clientIdentifier, clientSecret, paymentId: id, expect: wanted }).then(
      () => 'verified',
      (error: unknown) => (error instanceof VerificationError ? error.code : error),
    );
  };
  const salesNow = async () => {
    const sums = await database.db.select().from(paymentSums).where(eq(paymentSums.button, ''));
    return sums.reduce((sum, { payments }) => sum + payments, 0);
  };

  it.each([
    ['DOUBLE_SPEND_ATTEMPTED', 'contested'],
    ['SEEN_IN_ORPHAN_MEMPOOL', 'contested'],
    ['SENT_TO_NETWORK', 'unknown'],
    [null, 'contested'],
  ] as const)('the webhook and the SDK report it as unsafe once an operator answers %s', async (status, network) => {
    const payment = await pay();
    await follow();
    expect([await shown(payment.id), await verify(payment)]).toEqual([['RECEIVED', 'seen'], 'verified']);
    if (status === null) {
      arc.statuses.delete(payment.txid);
      arc.refusesTransactions = true;
    } else arc.statuses.set(payment.txid, status);
    for (let i = 0; i < 3; i += 1) await follow();
    expect(await shown(payment.id)).toEqual(['RECEIVED', network]);
    expect(await eventsOf(payment.id)).toEqual([
      ['payment.received', 'seen'],
      ['payment.contested', network],
    ]);
    expect(await verify(payment)).toBe('contested');
    expect(await verify(payment, { acceptContested: true })).toBe('verified');
    arc.statuses.set(payment.txid, 'SEEN_ON_NETWORK');
    await follow();
    expect([await shown(payment.id), await verify(payment)]).toEqual([['RECEIVED', 'seen'], 'verified']);
    arc.statuses.set(payment.txid, 'MINED');
    await follow();
    expect(await shown(payment.id)).toEqual(['COMPLETED', 'seen']);
  });

  it('the service gives up on it if the network hasn’t shown it for three days', async () => {
    const payment = await pay();
    arc.statuses.set(payment.txid, 'SENT_TO_NETWORK');
    await follow();
    await follow(3 * DAY - MINUTE);
    expect(await shown(payment.id)).toEqual(['RECEIVED', 'unknown']);
    await follow();
    expect(await shown(payment.id)).toEqual(['FAILED', 'unknown']);
    expect((await eventsOf(payment.id)).map(([type]) => type)).toEqual([
      'payment.received',
      'payment.contested',
      'payment.failed',
    ]);
    expect(await verify(payment, { acceptContested: true })).toBe('not-paid');
  });

  it('the service gives up on it three days after a clock that was a year ahead is corrected', async () => {
    const payment = await pay();
    arc.statuses.set(payment.txid, 'SENT_TO_NETWORK');
    await follow(365 * DAY);
    later = 0;
    await checkSoon(database.db, [payment.txid], now());
    await follow();
    await follow(3 * DAY - MINUTE);
    expect(await shown(payment.id)).toEqual(['RECEIVED', 'unknown']);
    await follow();
    expect(await shown(payment.id)).toEqual(['FAILED', 'unknown']);
  });

  it('the service keeps following it if the network has shown it within three days', async () => {
    const payment = await pay();
    for (const status of ['DOUBLE_SPEND_ATTEMPTED', 'SEEN_ON_NETWORK', 'DOUBLE_SPEND_ATTEMPTED'] as const) {
      arc.statuses.set(payment.txid, status);
      await follow(2 * DAY);
    }
    expect(await shown(payment.id)).toEqual(['RECEIVED', 'contested']);
    arc.statuses.set(payment.txid, 'MINED');
    await follow();
  });

  it.each([
    ['unknown', 'unknown', 3 * DAY, 'earlier'],
    ['unknown', 'unknown', 3 * DAY, 'later'],
    ['rejected', 'unknown', MINUTE, 'earlier'],
    ['rejected', 'seen', MINUTE, 'earlier'],
    ['contested', 'unknown', MINUTE, 'earlier'],
  ] as const)(
    'the answer %s changes nothing if it was %s and another instance finds it in the meantime, case %#',
    async (opinion, before, after, begun) => {
      const payment = await pay();
      if (before === 'unknown') arc.statuses.set(payment.txid, 'SENT_TO_NETWORK');
      await follow();
      const events = await eventsOf(payment.id);
      later += after;
      const held: (() => void)[] = [];
      const start = async (known: NetworkTransaction | null) => {
        await checkSoon(database.db, [payment.txid], now());
        const count = held.length;
        const transaction = async () => {
          await new Promise<void>((resolve) => held.push(resolve));
          return known;
        };
        const done = followWith({ transaction, secondOpinion: async () => opinion } as unknown as ArcClient);
        await vi.waitFor(() => expect(held).toHaveLength(count + 1));
        return { release: held[count], done };
      };
      const seen = { txid: payment.txid, txStatus: 'SEEN_ON_NETWORK' } as const;
      const [first, second] = begun === 'earlier' ? [null, seen] : [seen, null];
      const [one, other] = [await start(first), await start(second)];
      const [finder, slower] = begun === 'earlier' ? [other, one] : [one, other];
      for (const { release, done } of [finder, slower]) {
        release?.();
        await done;
      }
      expect([await shown(payment.id), await eventsOf(payment.id)]).toEqual([['RECEIVED', 'seen'], events]);
      arc.statuses.set(payment.txid, 'MINED');
      await follow();
    },
  );

  it('the service submits it again if the only operator has lost it', async () => {
    const payment = await pay();
    arc.statuses.delete(payment.txid);
    arc.callbacks.length = 0;
    await follow();
    expect(arc.callbacks.map(({ rawTx }) => rawTx)).toEqual([payment.rawtx]);
    expect([await shown(payment.id), (await eventsOf(payment.id)).length]).toEqual([['RECEIVED', 'seen'], 1]);
    arc.statuses.set(payment.txid, 'MINED');
    await follow();
  });

  it('doesn’t fail if one operator rejects it and another accepts it', async () => {
    const payment = await pay();
    arc.statuses.set(payment.txid, 'REJECTED');
    await follow(MINUTE, both());
    expect(second.callbacks).toHaveLength(1);
    expect([await shown(payment.id), await eventsOf(payment.id)]).toEqual([
      ['RECEIVED', 'seen'],
      [['payment.received', 'seen']],
    ]);
    arc.statuses.set(payment.txid, 'MINED');
    await follow();
  });

  it('the status is contested while one operator rejects it and no other can be reached', async () => {
    const payment = await pay();
    arc.statuses.set(payment.txid, 'REJECTED');
    second.fault = 500;
    await follow(MINUTE, both());
    expect(await shown(payment.id)).toEqual(['RECEIVED', 'contested']);
    second.fault = null;
    second.statuses.set(payment.txid, 'REJECTED');
    await follow(MINUTE, both());
    expect(await shown(payment.id)).toEqual(['FAILED', 'contested']);
  });

  it('stays seen while the operator that has it can’t be reached', async () => {
    const payment = await pay();
    arc.fault = 500;
    second.statuses.set(payment.txid, 'SENT_TO_NETWORK');
    await follow(MINUTE, both());
    expect(await shown(payment.id)).toEqual(['RECEIVED', 'seen']);
    expect(await eventsOf(payment.id)).toEqual([['payment.received', 'seen']]);
    arc.fault = null;
    arc.statuses.set(payment.txid, 'MINED');
    await follow();
  });

  it('a block that contains it after it failed completes it and counts it as a sale again', async () => {
    const before = await salesNow();
    const payment = await pay();
    arc.statuses.set(payment.txid, 'REJECTED');
    await follow();
    expect([await shown(payment.id), await salesNow()]).toEqual([['FAILED', 'contested'], before]);
    arc.statuses.set(payment.txid, 'MINED');
    await follow(MINUTE);
    expect(await shown(payment.id)).toEqual(['FAILED', 'contested']);
    await follow(6 * 3600_000);
    expect([await shown(payment.id), await salesNow()]).toEqual([['COMPLETED', 'seen'], before + 1]);
    expect((await eventsOf(payment.id)).map(([type]) => type)).toEqual([
      'payment.received',
      'payment.failed',
      'payment.completed',
    ]);
    expect(await verify(payment)).toBe('verified');
  });
});
