import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import type { Response } from 'express';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import type { Session } from '../../protocol/http/api.ts';
import { createApplication, deleteEndedWebhookSecrets, updateApplication } from '../applications/store.ts';
import { createArcClient } from '../chain/arc-client.ts';
import { applications, rateLimits, webhookEvents } from '../database/schema.ts';
import { createRateLimits } from '../http/rate-limit.ts';
import { followDue } from '../settlement/follow.ts';
import { finishPayment } from '../settlement/payment-status.ts';
import { insertPayment } from '../payment-reports/store.ts';
import { createTestReport, proveReport } from '../payment-reports/testing-report.ts';
import { bearer, createTestWallet, register, TEST_METRICS_TOKEN } from '../testing.ts';
import { attempt, startDelivery, type DeliveryContext } from './deliver.ts';
import { checkPayment } from '../sdk/check-payment.ts';
import { VerificationError } from '../sdk/verification-error.ts';
import { verifyWebhook } from '../sdk/webhook.ts';
import { webhookEventsResponse } from '../../protocol/http/webhooks.ts';
import { deleteOldEvents, resendEvent } from './log.ts';
import { sendTestEvent } from './test-event.ts';
import { claimDue, LEASE_MS, settle } from './queue.ts';
import { resend } from './resend.ts';
import { startTestReceiver, type TestReceiver } from './testing-receiver.ts';
import { useService } from '../testing-service.ts';

const DAY = 24 * 3600_000;

describe('webhooks', () => {
  const { app, arc, database } = useService();
  let receiver: TestReceiver;
  let payer: Session;
  let owner: Session;
  let stranger: Session;
  const wallet = createTestWallet();
  const log = pino({ level: 'silent' });
  const now = () => new Date(app.clock.ms);

  beforeAll(async () => {
    app.clock.ms = Date.now();
    [payer, owner, stranger] = [
      await register(app, wallet, 'payer'),
      await register(app, createTestWallet(), 'keeper'),
      await register(app, createTestWallet(), 'somebody'),
    ];
  });
  beforeEach(async () => {
    app.clock.ms = Date.now();
    receiver = await startTestReceiver();
  });
  afterEach(async () => {
    await receiver.close();
    await database.db.update(webhookEvents).set({ state: 'given-up', nextAttemptAt: null });
  });

  const context = (allowPrivate = true): DeliveryContext => ({ db: database.db, now, log, allowPrivate });
  const deliver = async (allowPrivate = true, most = 64) => {
    const claimed = await claimDue(database.db, new Map(), most, now());
    await Promise.all(claimed.map((event) => attempt(context(allowPrivate), event)));
    return claimed.length;
  };
  const makeApplication = async (webhookUrl: string | null = `${receiver.url}/hook`) =>
    createApplication(
      database.db,
      Number(owner.user.id),
      {
        name: 'A Shop',
        url: 'https://shop.example',
        description: '',
        redirectUri: null,
        webhookUrl,
        requirePkce: false,
        requireSecret: false,
      },
      now(),
    );
  const pay = async (clientIdentifier: string | null) => {
    const made = createTestReport([200_000n], wallet.publicKey);
    const report = proveReport({ ...made.report, clientIdentifier }, wallet.publicKey, made.key);
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    const answer = await app.post('/api/v2/payments', report, bearer(payer));
    expect(
      answer.status,
      app
        .log()
        .split('\n')
        .filter((line) => line.includes('failed'))
        .at(-1),
    ).toBe(201);
    return { id: report.id, txid: made.txid };
  };
  const follow = () =>
    followDue({ db: database.db, arc: createArcClient(arc.url), now, log, maxDelayMs: 60_000, callback: null });
  const eventsOf = async (applicationId: string, query = '', session = owner) =>
    app.get(`/api/v2/me/applications/${applicationId}/webhook-events${query}`, bearer(session));
  const told = () => receiver.received.map(({ type, paymentId }) => [type, paymentId]);

  it('count as delayed only if this service is behind, not because a receiver is dead', async () => {
    const behind = async () => {
      const { body } = await app.get('/metrics', { Authorization: `Bearer ${TEST_METRICS_TOKEN}` });
      const figure = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(body as string)?.[1]);
      return { behind: figure('webhooks_behind_seconds'), oldest: figure('webhooks_pending_oldest_seconds') };
    };
    const { application } = await makeApplication('http://127.0.0.1:1/dead');
    await pay(application.clientIdentifier);
    const progress = app.deliveryProgress;
    const delivery = startDelivery({ ...context(), progress });
    try {
      app.clock.ms += 2 * DAY;
      await expect.poll(() => progress.caughtUpAt).toEqual(now());
      expect(await behind()).toEqual({ behind: 0, oldest: 2 * 24 * 3600 });
    } finally {
      await delivery.stop();
    }
    app.clock.ms += 3600_000;
    expect(await behind()).toEqual({ behind: 3600, oldest: 2 * 24 * 3600 + 3600 });
  });

  it('[R-23] notify the application that the payment names, signed by Standard Webhooks, with the payment as in the API', async () => {
    const { application, webhookSecret } = await makeApplication();
    const { id } = await pay(application.clientIdentifier);
    expect(await deliver()).toBe(1);
    const [first] = receiver.received;
    const verified = new Webhook(webhookSecret).verify(first?.body ?? '', first?.headers as Record<string, string>);
    const { payment } = (await app.get(`/api/v2/payments/${id}`, bearer(payer))).body;
    expect(verified).toEqual({ type: 'payment.received', timestamp: now().toISOString(), data: { payment } });
    expect([payment.status, payment.buttonId, payment.buttonData, first?.path]).toEqual([
      'RECEIVED',
      'invoice-1',
      '{"order":1}',
      '/hook',
    ]);
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_[A-Za-z0-9]{24}$/),
      'webhook-timestamp': String(Math.floor(app.clock.ms / 1000)),
    });
    const { webhookSecret: other } = await makeApplication();
    expect(() => new Webhook(other).verify(first?.body ?? '', first?.headers as Record<string, string>)).toThrow(
      'No matching signature',
    );
    expect(await deliver()).toBe(0);
  });

  it('both secrets sign during a rotation, and only the new one afterwards', async () => {
    const { application, webhookSecret: first } = await makeApplication();
    const path = `/api/v2/me/applications/${application.id}/webhook-secret`;
    const rotated = await app.post(path, { previousExpiresIn: 600 }, bearer(owner));
    const { webhookSecret: second, previousWebhookSecretExpiresAt: until } = rotated.body.application;
    expect(Date.parse(until)).toBe(app.clock.ms + 600_000);
    const test = async () => {
      expect(
        (await app.post(`/api/v2/me/applications/${application.id}/webhook-events/test`, {}, bearer(owner))).status,
      ).toBe(202);
      expect(await deliver()).toBe(1);
      const { body, headers } = receiver.received.at(-1)!;
      return [first, second, third].map((secret) => {
        try {
          return verifyWebhook(headers, body, secret, { now: app.clock.ms }).type;
        } catch (error) {
          return error instanceof VerificationError ? error.code : error;
        }
      });
    };
    let third = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    expect(await test()).toEqual(['webhook.test', 'webhook.test', 'invalid-signature']);
    // The previous secret is valid until the last millisecond of the overlap.
    app.clock.ms += 599_999;
    expect(await test()).toEqual(['webhook.test', 'webhook.test', 'invalid-signature']);
    app.clock.ms += 1;
    expect(await test()).toEqual(['invalid-signature', 'webhook.test', 'invalid-signature']);
    const shown = () => app.get(`/api/v2/me/applications/${application.id}`, bearer(owner));
    expect((await shown()).body.application.previousWebhookSecretExpiresAt).toBeNull();
    await deleteEndedWebhookSecrets(database.db, now());
    const stored = async () =>
      (await database.db.select().from(applications).where(eq(applications.id, application.id)))[0];
    expect(await stored()).toMatchObject({ webhookSecret: second, previousWebhookSecret: null });
    // Only the owner can end the overlap early.
    third = (await app.post(path, { previousExpiresIn: 604_800 }, bearer(owner))).body.application.webhookSecret;
    expect((await app.send('DELETE', `${path}/previous`, undefined, bearer(stranger))).status).toBe(404);
    expect(await test()).toEqual(['invalid-signature', 'webhook.test', 'webhook.test']);
    expect((await app.send('DELETE', `${path}/previous`, undefined, bearer(owner))).status).toBe(204);
    expect(await test()).toEqual(['invalid-signature', 'invalid-signature', 'webhook.test']);
    for (const previousExpiresIn of [-1, 1.5, 604_801, '60', null])
      expect((await app.post(path, { previousExpiresIn }, bearer(owner))).status, String(previousExpiresIn)).toBe(400);
    // Without `previousExpiresIn`, the previous secret expires immediately.
    await app.send('POST', path, undefined, bearer(owner));
    expect(await test()).toEqual(['invalid-signature', 'invalid-signature', 'invalid-signature']);
  });

  it('test events go through the queue, ten a minute, and no handler treats them as a payment', async () => {
    const { application } = await makeApplication();
    const path = `/api/v2/me/applications/${application.id}/webhook-events/test`;
    const sent = await app.post(path, {}, bearer(owner));
    receiver.answer = () => 503;
    expect(await deliver()).toBe(1);
    const [request] = receiver.received;
    const { payment } = JSON.parse(request!.body).data;
    expect([request!.type, payment.status, payment.satoshis, payment.outputs]).toEqual([
      'webhook.test',
      'PENDING',
      '0',
      [],
    ]);
    expect(() => checkPayment(payment, { to: 'keeper@localhost', amount: '0.10', currency: 'BSV' })).toThrow();
    const list = await eventsOf(application.id);
    expect(webhookEventsResponse.parse(list.body)).toEqual(list.body);
    expect(list.body.events).toMatchObject([
      {
        id: sent.body.id,
        type: 'webhook.test',
        paymentId: null,
        state: 'pending',
        deliveries: [{ status: 503, response: 'an answer' }],
      },
    ]);
    // Bodies in the older format also mark test events.
    receiver.answer = () => 200;
    const changes = { webhookBodySecret: 'ours' };
    await updateApplication(database.db, Number(owner.user.id), application.id, changes, now());
    await app.post(path, {}, bearer(owner));
    await deliver();
    expect(JSON.parse(receiver.received.at(-1)!.body)).toMatchObject({
      secret: 'ours',
      test: true,
      payment: { satoshis: '0' },
    });

    expect((await app.post(path, {}, bearer(stranger))).status).toBe(404);
    const { application: silent } = await makeApplication(null);
    const none = await app.post(`/api/v2/me/applications/${silent.id}/webhook-events/test`, {}, bearer(owner));
    expect([none.status, none.body.error.code]).toEqual([400, 'invalid-request']);
    const limits = createRateLimits({ db: database.db, now, factor: 1 });
    await database.db.delete(rateLimits);
    const response = { set: () => {} } as unknown as Response;
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, () => sendTestEvent({ db: database.db, limits, now }, application, response)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  it('use the original service’s body, with signed headers, if the application chose a secret for it', async () => {
    const { application, webhookSecret } = await makeApplication();
    await updateApplication(
      database.db,
      Number(owner.user.id),
      application.id,
      { webhookBodySecret: 'its own & chosen "secret"' },
      now(),
    );
    const { id } = await pay(application.clientIdentifier);
    arc.statuses.set((await app.get(`/api/v2/payments/${id}`, bearer(payer))).body.payment.txid, 'MINED');
    expect(await deliver()).toBe(1);
    while ((await follow()) > 0);
    expect(await deliver()).toBe(1);
    const [first, last] = receiver.received;
    const { payment } = (await app.get(`/api/v2/payments/${id}`, bearer(payer))).body;
    expect(JSON.parse(first?.body ?? '')).toEqual({
      secret: 'its own & chosen "secret"',
      payment: { ...payment, status: 'RECEIVED' },
    });
    expect(JSON.parse(last?.body ?? '')).toEqual({
      secret: 'its own & chosen "secret"',
      payment: { ...payment, status: 'COMPLETED' },
    });
    expect(
      new Webhook(webhookSecret).verify(first?.body ?? '', first?.headers as Record<string, string>),
    ).toBeDefined();
    // The secret isn't logged. After the secret's removal, resent events use the signed format.
    expect(JSON.stringify((await eventsOf(application.id)).body)).not.toContain('chosen');
    await updateApplication(database.db, Number(owner.user.id), application.id, { webhookBodySecret: null }, now());
    await app.post(
      `/api/v2/me/applications/${application.id}/webhook-events/${first?.headers['webhook-id']}/resend`,
      undefined,
      bearer(owner),
    );
    while ((await deliver()) > 0);
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({
      type: 'payment.received',
      data: { payment: { id } },
    });
  });

  it('report a payment’s final status, and nothing twice', async () => {
    const { application } = await makeApplication();
    const [mined, refused] = [await pay(application.clientIdentifier), await pay(application.clientIdentifier)];
    arc.statuses.set(mined.txid, 'MINED').set(refused.txid, 'REJECTED');
    while ((await follow()) > 0);
    await finishPayment(database.db, mined.id, { status: 'FAILED', description: null }, now());
    while ((await deliver()) > 0);
    expect(told().filter(([, id]) => id === mined.id)).toEqual([
      ['payment.received', mined.id],
      ['payment.completed', mined.id],
    ]);
    expect(told().filter(([, id]) => id === refused.id)).toEqual([
      ['payment.received', refused.id],
      ['payment.failed', refused.id],
    ]);
    const [failed] = receiver.received.filter(({ type }) => type === 'payment.failed');
    expect(JSON.parse(failed?.body ?? '').data.payment).toMatchObject({
      status: 'FAILED',
      statusDescription: 'The network rejected the transaction.',
    });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
  });

  it('notify no one if the payment names no application, an unknown one, or one without a webhook', async () => {
    const { application } = await makeApplication(null);
    for (const client of [null, 'nobody', application.clientIdentifier, application.oauthIdentifier]) await pay(client);
    expect(await deliver()).toBe(0);
    expect((await eventsOf(application.id)).body).toEqual({ events: [], nextCursor: null });
  });

  it('the payment and its event are written together, or neither', async () => {
    const { application } = await makeApplication();
    const { id } = await pay(application.clientIdentifier);
    const made = createTestReport([1_000n], wallet.publicKey);
    const checked = {
      txid: made.txid,
      normalizedTxid: made.txid,
      rawtx: Uint8Array.of(1),
      satoshis: 1_000n,
      recipients: [],
    };
    const report = { ...made.report, clientIdentifier: application.clientIdentifier };
    const inOneTransaction = () =>
      database.db.transaction(async (tx) => {
        await insertPayment(tx, Number(payer.user.id), report, checked as never, now());
        await finishPayment(tx, id, { status: 'COMPLETED', description: null }, now());
        throw new Error('the process died here');
      });
    await expect(inOneTransaction()).rejects.toThrow('died here');
    while ((await deliver()) > 0);
    expect(told()).toEqual([['payment.received', id]]);
    expect((await app.get(`/api/v2/payments/${id}`, bearer(payer))).body.payment.status).toBe('RECEIVED');
  });

  it('preserve one payment’s order while its first event fails, and don’t delay other payments', async () => {
    const { application } = await makeApplication();
    const one = await pay(application.clientIdentifier);
    let isUp = false;
    receiver.answer = () => (isUp ? 200 : 503);
    expect(await deliver()).toBe(1);
    arc.statuses.set(one.txid, 'MINED');
    while ((await follow()) > 0);
    expect(await deliver()).toBe(0);
    isUp = true;
    const two = await pay(application.clientIdentifier);
    expect(await deliver()).toBe(1);
    app.clock.ms += 6_000;
    expect(await deliver()).toBe(1);
    expect(await deliver()).toBe(1);
    expect(told()).toEqual([
      ['payment.received', one.id],
      ['payment.received', two.id],
      ['payment.received', one.id],
      ['payment.completed', one.id],
    ]);
    const ids = receiver.received
      .filter(({ type, paymentId }) => type === 'payment.received' && paymentId === one.id)
      .map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
  });

  it('retry for a little over three days at growing intervals, then give up and continue with the next event', async () => {
    const { application } = await makeApplication();
    const { id, txid } = await pay(application.clientIdentifier);
    arc.statuses.set(txid, 'MINED');
    while ((await follow()) > 0);
    receiver.answer = ({ type }) => (type === 'payment.received' ? 500 : 200);
    const begin = app.clock.ms;
    const waits: number[] = [];
    for (let last = begin; ;) {
      expect(await deliver()).toBe(1);
      const [{ next, state } = { next: null, state: '' }] = await database.db
        .select({ next: webhookEvents.nextAttemptAt, state: webhookEvents.state })
        .from(webhookEvents)
        .where(eq(webhookEvents.type, 'payment.received'))
        .orderBy(sql`created_at desc, sequence`)
        .limit(1);
      if (!next) {
        expect(state).toBe('given-up');
        break;
      }
      app.clock.ms = next.getTime() - 1;
      expect(await deliver()).toBe(0);
      app.clock.ms += 1;
      waits.push((app.clock.ms - last) / 1000);
      last = app.clock.ms;
    }
    const expected = [5, 30, 120, 600, 3_600, 3 * 3_600, 8 * 3_600, 24 * 3_600, 36 * 3_600];
    expect(waits).toHaveLength(expected.length);
    waits.forEach((seconds, i) =>
      expect(seconds / (expected[i] as number)).toSatisfy((ratio: number) => ratio >= 1 && ratio <= 1.1),
    );
    expect(app.clock.ms - begin).toBeGreaterThan(3 * DAY);
    expect(await deliver()).toBe(1);
    expect(told().at(-1)).toEqual(['payment.completed', id]);
  });

  it('one of several instances delivers each event, and another takes over those of a killed process', async () => {
    const { application } = await makeApplication();
    for (let i = 0; i < 3; i += 1) await pay(application.clientIdentifier);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimDue(database.db, new Map(), 64, now())));
    const claimed = claims.flat();
    expect(claimed).toHaveLength(3);
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(3);
    app.clock.ms += LEASE_MS - 1;
    expect(await deliver()).toBe(0);
    app.clock.ms += 1;
    const again = await claimDue(database.db, new Map(), 64, now());
    expect(again).toHaveLength(3);
    // The first instance was only slow. Its results are logged without affecting the second instance's claims.
    const stateOf = () =>
      database.db
        .select({ state: webhookEvents.state, attempts: webhookEvents.attempts, next: webhookEvents.nextAttemptAt })
        .from(webhookEvents)
        .where(eq(webhookEvents.applicationId, application.id));
    const held = await stateOf();
    for (const late of claimed)
      await settle(
        database.db,
        late,
        { status: 500, error: 'late', response: null, startedAt: now(), endedAt: now() },
        0,
      );
    expect(await stateOf()).toEqual(held);
    await Promise.all(again.map((event) => attempt(context(), event)));
    for (const late of claimed)
      await settle(
        database.db,
        late,
        { status: 500, error: 'later', response: null, startedAt: now(), endedAt: now() },
        0,
      );
    expect(
      (await eventsOf(application.id)).body.events.map(
        ({ state, deliveries }: { state: string; deliveries: unknown[] }) => [state, deliveries.length],
      ),
    ).toEqual([
      ['delivered', 3],
      ['delivered', 3],
      ['delivered', 3],
    ]);
    app.clock.ms += 10 * DAY;
    expect(await deliver()).toBe(0);
  });

  it('an application gets at most its share of attempts', async () => {
    const [slow, quick] = [await makeApplication(), await makeApplication()];
    for (let i = 0; i < 9; i += 1) await pay(slow.application.clientIdentifier);
    await pay(quick.application.clientIdentifier);
    const first = await claimDue(database.db, new Map(), 64, now());
    const of = (claimed: typeof first, id: string) =>
      claimed.filter(({ applicationId }) => applicationId === id).length;
    expect([of(first, slow.application.id), of(first, quick.application.id)]).toEqual([4, 1]);
    expect(await claimDue(database.db, new Map([[slow.application.id, 4]]), 64, now())).toEqual([]);
    expect(await claimDue(database.db, new Map([[slow.application.id, 1]]), 64, now())).toHaveLength(3);
    expect(await claimDue(database.db, new Map(), 1, now())).toHaveLength(1);
  });

  it('a receiver that doesn’t respond delays no other', async () => {
    const other = await startTestReceiver();
    let release = () => {};
    const held = new Promise<number>((resolve) => (release = () => resolve(200)));
    receiver.answer = () => held;
    const slow = await makeApplication();
    const quick = await makeApplication(other.url);
    for (let i = 0; i < 9; i += 1) await pay(slow.application.clientIdentifier);
    const delivery = startDelivery({ ...context(), progress: app.deliveryProgress });
    await expect.poll(() => receiver.received.length).toBe(4);
    const { id, txid } = await pay(quick.application.clientIdentifier);
    arc.statuses.set(txid, 'MINED');
    while ((await follow()) > 0);
    await expect
      .poll(() => other.received.map(({ type, paymentId }) => [type, paymentId]))
      .toEqual([
        ['payment.received', id],
        ['payment.completed', id],
      ]);
    expect(receiver.received).toHaveLength(4);
    release();
    await expect.poll(() => receiver.received.length).toBe(9);
    await delivery.stop();
    await other.close();
    expect((await eventsOf(slow.application.id)).body.events.map(({ state }: { state: string }) => state)).toEqual(
      Array(9).fill('delivered'),
    );
  });

  it('follow no redirect, and go to no private address unless that is allowed', async () => {
    const { application } = await makeApplication();
    await pay(application.clientIdentifier);
    receiver.headers = { Location: `${receiver.url}/elsewhere` };
    receiver.answer = () => 302;
    expect(await deliver()).toBe(1);
    app.clock.ms += 6_000;
    expect(await deliver(false)).toBe(1);
    await database.db
      .update(applications)
      .set({ webhookUrl: receiver.url.replace('http:', 'https:') })
      .where(eq(applications.id, application.id));
    app.clock.ms += 35_000;
    expect(await deliver(false)).toBe(1);
    await database.db.update(applications).set({ webhookUrl: null }).where(eq(applications.id, application.id));
    app.clock.ms += 140_000;
    expect(await deliver()).toBe(1);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
    const [event] = (await eventsOf(application.id)).body.events;
    expect(event.deliveries.map(({ status, error }: { status: unknown; error: unknown }) => [status, error])).toEqual([
      [302, 'The answer was a redirect, which is not followed.'],
      [null, 'The webhook URL is not https.'],
      [null, 'The webhook URL leads to a private address.'],
      [null, 'The application has no webhook URL.'],
    ]);
  });

  it('the owner sees every event and attempt, page by page, and can resend one', async () => {
    const { application } = await makeApplication();
    const paid: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      app.clock.ms += 1_000;
      paid.unshift((await pay(application.clientIdentifier)).id);
    }
    receiver.answer = () => 500;
    expect(await deliver()).toBe(3);
    const first = (await eventsOf(application.id, '?limit=2')).body;
    expect(first.events.map(({ paymentId }: { paymentId: string }) => paymentId)).toEqual(paid.slice(0, 2));
    expect(first.events[0]).toMatchObject({
      type: 'payment.received',
      state: 'pending',
      deliveries: [
        { status: 500, error: 'an answer', response: 'an answer', attemptedAt: now().toISOString(), durationMs: 0 },
      ],
    });
    const second = (await eventsOf(application.id, `?limit=2&cursor=${first.nextCursor}`)).body;
    expect([second.events.length, second.events[0].paymentId, second.nextCursor]).toEqual([1, paid[2], null]);

    const again = (id: string, session = owner) =>
      app.post(`/api/v2/me/applications/${application.id}/webhook-events/${id}/resend`, {}, bearer(session));
    const [{ id, paymentId }] = first.events;
    const later = () => void (app.clock.ms += 1_000);
    const received = receiver.received.length;
    // An event that is due soon isn't resent, because it will soon be sent anyway.
    expect((await again(id)).status).toBe(202);
    expect(await deliver()).toBe(0);
    await database.db
      .update(webhookEvents)
      .set({ state: 'given-up', nextAttemptAt: null, attempts: 10 })
      .where(eq(webhookEvents.id, id));
    receiver.answer = () => 200;
    later();
    expect((await again(id)).status).toBe(202);
    expect(await deliver()).toBe(1);
    later();
    expect(
      receiver.received.slice(received).map(({ headers, paymentId: told }) => [headers['webhook-id'], told]),
    ).toEqual([[id, paymentId]]);
    expect((await again(id)).status).toBe(202);
    expect(await deliver()).toBe(1);
    expect((await eventsOf(application.id, '?limit=1')).body.events[0]).toMatchObject({
      state: 'delivered',
      nextAttemptAt: null,
      deliveries: [{ status: 500 }, { status: 200 }, { status: 200 }],
    });

    for (const [answer, status] of [
      [await eventsOf(application.id, '', stranger), 404],
      [await again(id, stranger), 404],
      [await again('msg_nothing'), 404],
      [await again("msg_'"), 404],
      [await eventsOf(randomUUID()), 404],
      [await eventsOf('nothing'), 404],
      [await eventsOf(application.id, '?limit=0'), 400],
      [await eventsOf(application.id, '?limit=101'), 400],
      [await eventsOf(application.id, '?cursor=nonsense'), 400],
      [await app.get(`/api/v2/me/applications/${application.id}/webhook-events`), 401],
    ] as const)
      expect([answer.status, JSON.stringify(answer.body)], JSON.stringify(answer.body)).toEqual([
        status,
        expect.stringContaining('error'),
      ]);
    const elsewhere = (await makeApplication()).application;
    expect(await resendEvent(database.db, elsewhere.id, id, now())).toBe(false);
    expect(await deliver()).toBe(0);
  });

  it('the bytes resent per time period are limited, including many small events', async () => {
    const { application } = await makeApplication();
    await pay(application.clientIdentifier);
    await database.db
      .update(webhookEvents)
      .set({ state: 'given-up', nextAttemptAt: null, body: sql`${webhookEvents.body} || repeat(' ', 20000000)` })
      .where(eq(webhookEvents.applicationId, application.id));
    const [{ id }] = (await eventsOf(application.id)).body.events;
    const again = (session = owner) =>
      app.post(`/api/v2/me/applications/${application.id}/webhook-events/${id}/resend`, {}, bearer(session));
    expect([(await again()).status, (await again()).status]).toEqual([202, 202]);
    const refused = await again();
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'too-many-requests',
      '241',
    ]);
    expect((await again(stranger)).status).toBe(404);
    app.clock.ms += 4 * 60_000;
    expect((await again()).status).toBe(202);

    await database.db.update(webhookEvents).set({ body: '{}' }).where(eq(webhookEvents.id, id));
    // Even a two-byte body is charged as ten kilobytes.
    const limits = createRateLimits({ db: database.db, now });
    const taken = await Promise.all(
      Array.from({ length: 20 }, () =>
        resend({ db: database.db, now, limits }, { ...application, ownerId: 1 }, id, {} as Response),
      ),
    );
    expect(taken).toHaveLength(20);
    const rows = await database.db
      .select()
      .from(rateLimits)
      .where(sql`${rateLimits.key} like 'webhook-resend:%'`);
    expect(rows.map(({ left }) => left)).toContain((50_000 - 200) * 1000);
  });

  it('events are deleted ninety days after they end, but never while pending', async () => {
    const { application } = await makeApplication();
    await pay(application.clientIdentifier);
    expect(await deliver()).toBe(1);
    const { id } = await pay(application.clientIdentifier);
    await deleteOldEvents(database.db, now());
    expect((await eventsOf(application.id)).body.events).toHaveLength(2);
    await deleteOldEvents(database.db, new Date(app.clock.ms + 91 * DAY));
    expect(
      (await eventsOf(application.id)).body.events.map(({ paymentId }: { paymentId: string }) => paymentId),
    ).toEqual([id]);
  });
});
