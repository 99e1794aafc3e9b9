import { randomBytes, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import {
  normalizedTxidOf,
  parseTransactionHex,
  serializeTransaction,
  txidOf,
} from '../../protocol/bitcoin/transaction.ts';
import type { CryptoResult } from '../../protocol/payments/payment.ts';
import {
  applications,
  paymailDestinations,
  payments,
  receivedTransactions,
  users,
  webhookEvents,
} from '../database/schema.ts';
import { GAP_LIMIT, issueAddresses } from '../destinations/addresses.ts';
import { checkSoon, finishPayment, recordStanding } from '../settlement/payment-status.ts';
import { insertPayment } from '../payment-reports/store.ts';
import { findPayment, type StoredPayment } from '../payments/stored-payment.ts';
import { bearer, createTestWallet, registerApplication, type TestApplication } from '../testing.ts';
import { deleteOldEvents } from '../webhooks/log.ts';
import { enqueueCheckedEvent, enqueueRefundEvent } from '../webhooks/outbox.ts';
import { claimDue, LEASE_MS, settle } from '../webhooks/queue.ts';
import { storeReceived, type ReceivedNow } from './store.ts';
import { createTestDelivery } from './testing-delivery.ts';
import { useReceived, type Keeper } from './testing-received.ts';

describe('transactions received by paymail', () => {
  const { app, arc, database, people, wallet, now, newKeeper, newDelivery, follow, own, inbox, eventsOf, told } =
    useReceived();
  /** Converts a received transaction to a validated report. */
  const checkedOf = ({ txid, normalizedTxid, rawtx }: ReceivedNow, { session }: Keeper) => ({
    txid,
    normalizedTxid,
    rawtx,
    satoshis: 500_000n,
    outputSatoshis: 505_000n,
    recipients: [Number(session.user.id)],
    inputSatoshis: null,
    usdRate: null,
    currencyRate: null,
    senderPaymail: null,
    token: null,
  });
  /** A different transaction from the same payer to the same destination. */
  const otherTransaction = (received: ReceivedNow): ReceivedNow => {
    const before = parseTransactionHex(toHex(received.rawtx));
    const inputs = before.inputs.map((input) => ({ ...input, txid: randomBytes(32).toString('hex') }));
    const rawtx = serializeTransaction({ ...before, inputs });
    const txid = txidOf(rawtx);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    return { ...received, rawtx, txid, normalizedTxid: normalizedTxidOf({ ...before, inputs }) };
  };
  const send = ({ session }: Keeper, { rawtx, reference }: ReceivedNow) =>
    app.post(`/bsvalias/receive-transaction/${session.user.paymail}`, { hex: toHex(rawtx), reference, metadata: {} });

  /** Stores the event of a payment's refund. */
  const refund = (id: string) =>
    database.db.transaction(async (tx) => {
      const given = { paymentId: randomUUID(), txid: 'ab'.repeat(32), satoshis: '1' };
      await enqueueRefundEvent(tx, (await findPayment(tx, id)) as StoredPayment, given, now());
    });

  it('wait for a report that is being stored', async () => {
    const keeper = await newKeeper();
    const { report, deliver, received } = await newDelivery(keeper);
    let delivery: Promise<unknown> = Promise.resolve();
    await database.db.transaction(async (tx) => {
      await insertPayment(tx, Number(people.payer.user.id), report, checkedOf(received, keeper), now());
      let done = false;
      delivery = deliver().finally(() => (done = true));
      const waits = sql`select 1 from pg_locks where locktype = 'advisory' and not granted`;
      while (!done && ((await database.db.execute(waits)) as any).rows.length === 0);
    });
    await delivery;
    expect((await own(keeper.session)).map(({ id }) => id)).toEqual([report.id]);
    expect(await told(keeper.other)).toEqual([['payment.received', report.id]]);
  });

  it('an application notified of the receipt also gets its outcome, and no second event for the same money if the report doesn’t name it', async () => {
    const keeper = await newKeeper();
    const { report, deliver, received } = await newDelivery(keeper);
    await deliver();
    const [first] = await own(keeper.session);
    const claimed = await claimDue(database.db, new Map(), 100, new Date(app.clock.ms + 1));
    expect(
      claimed.filter(({ applicationId }) => [keeper.shop.id, keeper.other.id].includes(applicationId)),
    ).toHaveLength(2);
    await app.post('/api/v2/payments', report, bearer(people.payer));
    expect((await own(keeper.session)).map(({ id }) => id)).toEqual([report.id]);
    expect((await app.get(`/api/v2/payments/${first.id}`, bearer(keeper.session))).body.payment).toMatchObject({
      id: first.id,
      userId: null,
    });
    arc.statuses.set(received.txid, 'MINED');
    app.clock.ms += 120_000;
    await follow();
    for (const application of [keeper.shop, keeper.other])
      expect(await told(application)).toEqual([
        ['payment.received', first.id],
        ['payment.completed', first.id],
      ]);
  });

  it('an application notified of the receipt gets all events of a report that names it, with its button’s id', async () => {
    const keeper = await newKeeper();
    const { reportWith, deliver, received } = await newDelivery(keeper);
    const report = reportWith({ clientIdentifier: keeper.shop.clientIdentifier });
    await deliver();
    const [first] = await own(keeper.session);
    await claimDue(database.db, new Map(), 100, new Date(app.clock.ms + 1));
    expect((await app.post('/api/v2/payments', report, bearer(people.payer))).status).toBe(201);
    for (const id of [first.id, report.id]) await recordStanding(database.db, id, 'contested', now());
    arc.statuses.set(received.txid, 'MINED');
    app.clock.ms += 120_000;
    await follow();
    const types = ['payment.received', 'payment.contested', 'payment.completed'];
    const under = async (application: TestApplication, id: string) =>
      (await eventsOf(application.id)).flatMap(({ type, paymentId, body }) => {
        const { txid, buttonId } = JSON.parse(body).data.payment;
        return paymentId === id ? [[type, txid, buttonId]] : [];
      });
    expect(await under(keeper.shop, report.id)).toEqual(types.map((type) => [type, received.txid, 'invoice-1']));
    for (const application of [keeper.shop, keeper.other])
      expect(await under(application, first.id)).toEqual(types.map((type) => [type, received.txid, null]));
    expect(await under(keeper.other, report.id)).toEqual([]);
  });

  it('an application notified of the receipt is notified of the verdict on the report’s token', async () => {
    const keeper = await newKeeper();
    const { report, deliver } = await newDelivery(keeper);
    await deliver();
    await claimDue(database.db, new Map(), 100, new Date(app.clock.ms + 1));
    await app.post('/api/v2/payments', report, bearer(people.payer));
    const stored = (await findPayment(database.db, report.id)) as StoredPayment;
    const checked = { ...stored, payment: { ...stored.payment, tokenValidity: 'valid' as const } };
    await database.db.transaction((tx) => enqueueCheckedEvent(tx, checked, now()));
    expect(await told(keeper.other)).toContainEqual(['payment.checked', report.id]);
  });

  it('the delivery of a contested payment notifies only applications that weren’t notified before', async () => {
    const keeper = await newKeeper();
    const { reportWith, deliver } = await newDelivery(keeper);
    const report = reportWith({ clientIdentifier: keeper.shop.clientIdentifier });
    await app.post('/api/v2/payments', report, bearer(people.payer));
    await recordStanding(database.db, report.id, 'contested', now());
    const late = await registerApplication(app, keeper.session, { webhookUrl: 'https://shop.example/hook' });
    const both = [
      ['payment.received', report.id],
      ['payment.contested', report.id],
    ];
    const all = () => Promise.all([keeper.shop, keeper.other, late].map(told));
    expect(await all()).toEqual([both, both, []]);
    await deliver();
    expect(await all()).toEqual([both, both, both]);
  });

  it('report the outcome under the receipt’s id to an application notified of the receipt, and under the report’s id to others', async () => {
    const keeper = await newKeeper();
    const { report, deliver, received } = await newDelivery(keeper);
    await deliver();
    const [first] = await own(keeper.session);
    const at = new Date(app.clock.ms + 1);
    const delivered = { startedAt: at, endedAt: at, status: 200, error: null, response: '' };
    for (const event of await claimDue(database.db, new Map(), 100, at))
      if (event.applicationId === keeper.shop.id) await settle(database.db, event, delivered, 0);
    // Marks the other application's event as undelivered.
    await database.db
      .update(webhookEvents)
      .set({ nextAttemptAt: sql`${webhookEvents.createdAt}` })
      .where(eq(webhookEvents.applicationId, keeper.other.id));
    await app.post('/api/v2/payments', report, bearer(people.payer));
    arc.statuses.set(received.txid, 'MINED');
    app.clock.ms += 120_000;
    await follow();
    for (const [application, id] of [
      [keeper.shop, first.id],
      [keeper.other, report.id],
    ] as const)
      expect(await told(application)).toEqual([
        ['payment.received', id],
        ['payment.completed', id],
      ]);
  });

  it('an unsent receipt becomes part of its report, even if a later event of it was postponed', async () => {
    const keeper = await newKeeper();
    const { report, deliver } = await newDelivery(keeper);
    await deliver();
    const [first] = await own(keeper.session);
    await recordStanding(database.db, first.id, 'contested', now());
    await database.db
      .update(webhookEvents)
      .set({ nextAttemptAt: new Date(app.clock.ms + LEASE_MS) })
      .where(eq(webhookEvents.type, 'payment.contested'));
    await app.post('/api/v2/payments', report, bearer(people.payer));
    expect(await told(keeper.other)).toEqual([['payment.received', report.id]]);
  });

  it('notify the payee’s applications and appear in the payee’s list once reported, even if never delivered', async () => {
    const keeper = await newKeeper();
    const { report, received } = await newDelivery(keeper);
    await app.post('/api/v2/payments', report, bearer(people.payer));
    expect((await own(keeper.session)).map(({ id }) => id)).toEqual([report.id]);
    const path = `/api/v1/users/${keeper.session.user.id}/payments?page[size]=1`;
    expect((await app.get(path, bearer(keeper.session))).body).toMatchObject({
      data: [{ id: report.id }],
      meta: { 'total-pages': 1 },
    });
    arc.statuses.set(received.txid, 'MINED');
    app.clock.ms += 120_000;
    await follow();
    for (const application of [keeper.shop, keeper.other])
      expect(await told(application)).toEqual([
        ['payment.received', report.id],
        ['payment.completed', report.id],
      ]);
  });

  it('notify an application created since their report of all events in order if delivered only after a block', async () => {
    const keeper = await newKeeper();
    const { report, deliver, received } = await newDelivery(keeper);
    await app.post('/api/v2/payments', report, bearer(people.payer));
    arc.statuses.set(received.txid, 'MINED');
    app.clock.ms += 120_000;
    await follow();
    const late = await registerApplication(app, keeper.session, { webhookUrl: 'https://shop.example/hook' });
    await deliver();
    for (const application of [late, keeper.other])
      expect(
        (await eventsOf(application.id)).map(({ type, body }) => [type, JSON.parse(body).data.payment.status]),
      ).toEqual([
        ['payment.received', 'RECEIVED'],
        ['payment.completed', 'COMPLETED'],
      ]);
    expect((await own(keeper.session)).map(({ id }) => id)).toEqual([report.id]);
  });

  it.each([
    ['of the receipt before their completion', 'COMPLETED', ['payment.received', 'payment.completed']],
    ['only of their failure', 'FAILED', ['payment.failed']],
    ['only of their conflict', 'contested', ['payment.contested']],
  ] as const)('notify an application created since their report %s', async (_, outcome, types) => {
    const keeper = await newKeeper();
    const { report, deliver } = await newDelivery(keeper);
    await app.post('/api/v2/payments', report, bearer(people.payer));
    const late = await registerApplication(app, keeper.session, { webhookUrl: 'https://shop.example/hook' });
    if (outcome === 'contested') await recordStanding(database.db, report.id, outcome, now());
    else await finishPayment(database.db, report.id, { status: outcome, description: null }, now());
    if (outcome !== 'FAILED') await deliver();
    expect(await told(late)).toEqual(types.map((type) => [type, report.id]));
  });

  it('notify an application created since their report of the receipt before a refund', async () => {
    const keeper = await newKeeper();
    const { report, deliver } = await newDelivery(keeper);
    await app.post('/api/v2/payments', report, bearer(people.payer));
    const late = await registerApplication(app, keeper.session, { webhookUrl: 'https://shop.example/hook' });
    await refund(report.id);
    await finishPayment(database.db, report.id, { status: 'COMPLETED', description: null }, now());
    await deliver();
    const types = ['payment.received', 'payment.refunded', 'payment.completed'];
    for (const application of [keeper.shop, keeper.other, late])
      expect(await told(application)).toEqual(types.map((type) => [type, report.id]));
  });

  it('don’t notify an application created since their block of the receipt after a refund', async () => {
    const keeper = await newKeeper();
    const { report, deliver } = await newDelivery(keeper);
    await app.post('/api/v2/payments', report, bearer(people.payer));
    await finishPayment(database.db, report.id, { status: 'COMPLETED', description: null }, now());
    const late = await registerApplication(app, keeper.session, { webhookUrl: 'https://shop.example/hook' });
    await refund(report.id);
    await deliver();
    const types = ['payment.refunded', 'payment.completed'];
    expect(await told(late)).toEqual(types.map((type) => [type, report.id]));
  });

  it('notify an application whose earlier events have been deleted only of the completion', async () => {
    const keeper = await newKeeper();
    const { report } = await newDelivery(keeper);
    await app.post('/api/v2/payments', report, bearer(people.payer));
    await database.db
      .update(webhookEvents)
      .set({ state: 'delivered', nextAttemptAt: null })
      .where(eq(webhookEvents.paymentId, report.id));
    const later = new Date(app.clock.ms + 91 * 24 * 3600_000);
    await deleteOldEvents(database.db, later);
    expect(await told(keeper.shop)).toEqual([]);
    await finishPayment(database.db, report.id, { status: 'COMPLETED', description: null }, later);
    expect(await told(keeper.shop)).toEqual([['payment.completed', report.id]]);
  });

  it('repeated and concurrent deliveries are stored once; another transaction is a conflict', async () => {
    const keeper = await newKeeper();
    const [made, other] = [await newDelivery(keeper), await newDelivery(keeper)];
    const results = await Promise.all(Array.from({ length: 8 }, () => made.deliver()));
    expect(results.toSorted()).toEqual([...Array.from({ length: 7 }, () => 'known'), 'stored']);
    expect(await inbox(keeper)).toHaveLength(1);
    expect(await own(keeper.session)).toHaveLength(1);
    expect(await told(keeper.other)).toHaveLength(1);
    const { rawtx, txid, normalizedTxid } = other.received;
    const both = Uint8Array.from(rawtx);
    both[rawtx.length - 1] = 1;
    const outcomes = await Promise.allSettled([
      other.deliver(),
      other.deliver({ rawtx: both, txid: normalizedTxid, normalizedTxid: txid }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'payment-conflict' },
    });
    expect(await inbox(keeper)).toHaveLength(2);
    await expect(made.deliver({ reference: other.received.reference })).rejects.toMatchObject({
      code: expect.stringMatching(/payment-(?:conflict|mismatch)/),
    });
    const rows = await database.db
      .select()
      .from(receivedTransactions)
      .where(eq(receivedTransactions.userId, Number(keeper.session.user.id)));
    const kept = await database.db.select().from(payments).where(eq(payments.txid, made.received.txid));
    expect([rows.length, kept.length]).toEqual([2, 1]);
  });

  it.each(['now', 'before an upgrade'])(
    'an instance whose clock is behind stores the report and delivery for a destination issued %s',
    async (when) => {
      const keeper = await newKeeper();
      const { report, received } = await newDelivery(keeper);
      if (when !== 'now')
        await database.db
          .update(paymailDestinations)
          .set({ sequence: null })
          .where(eq(paymailDestinations.reference, received.reference));
      app.clock.ms -= 500;
      expect((await app.post('/api/v2/payments', report, bearer(people.payer))).status).toBe(201);
      expect((await send(keeper, received)).status).toBe(200);
      expect(await told(keeper.shop)).toEqual([['payment.received', report.id]]);
    },
  );

  it('reach each of their recipients through an instance whose clock is behind', async () => {
    const [one, two] = [await newKeeper(), await newKeeper()];
    const [{ received: first }, { received: second }] = [await newDelivery(one), await newDelivery(two)];
    const outputs = [...first.outputs, ...second.outputs];
    const rawtx = serializeTransaction({ ...parseTransactionHex(toHex(first.rawtx)), outputs });
    arc.statuses.set(txidOf(rawtx), 'SEEN_ON_NETWORK');
    app.clock.ms -= 500;
    expect((await send(one, { ...first, rawtx })).status).toBe(200);
    expect((await send(two, { ...second, rawtx })).status).toBe(200);
    for (const keeper of [one, two]) expect((await inbox(keeper)).map(({ txid }) => txid)).toEqual([txidOf(rawtx)]);
  });

  it('a destination whose payment failed can be paid again, and the payee gets both if that is mined after all', async () => {
    const keeper = await newKeeper();
    const { deliver, received, reportWith } = await newDelivery(keeper);
    await deliver();
    const [failed] = await own(keeper.session);
    const other = otherTransaction(received);
    expect(await send(keeper, other)).toMatchObject({ status: 409, body: { code: 'payment-conflict' } });
    arc.statuses.set(received.txid, 'REJECTED');
    await follow();
    for (let i = 0; i < 2; i += 1)
      expect(await send(keeper, other)).toMatchObject({ status: 200, body: { txid: other.txid } });
    expect((await inbox(keeper)).map(({ txid }) => txid)).toEqual([received.txid, other.txid]);
    expect(await send(keeper, otherTransaction(received))).toMatchObject({ status: 409 });
    expect(await send(keeper, received)).toMatchObject({ status: 200, body: { txid: received.txid } });

    arc.statuses.set(received.txid, 'MINED');
    await checkSoon(database.db, [received.txid], now());
    await follow();
    const report = reportWith({ id: randomUUID(), rawtx: toHex(other.rawtx) });
    expect((await app.post('/api/v2/payments', report, bearer(people.payer))).status).toBe(201);
    expect((await inbox(keeper)).map(({ txid, paymentId }) => [txid, paymentId])).toEqual([
      [received.txid, failed.id],
      [other.txid, report.id],
    ]);
    expect((await own(keeper.session)).map(({ txid, status }) => [txid, status]).toSorted()).toEqual(
      [
        [received.txid, 'COMPLETED'],
        [other.txid, 'RECEIVED'],
      ].toSorted(),
    );
  });

  it('all of the payee’s applications learn of a second payment to a destination whose first one failed', async () => {
    const keeper = await newKeeper();
    const { deliver, received, reportWith } = await newDelivery(keeper);
    await deliver();
    const [failed] = await own(keeper.session);
    arc.statuses.set(received.txid, 'REJECTED');
    await follow();
    const other = otherTransaction(received);
    const report = reportWith({
      id: randomUUID(),
      rawtx: toHex(other.rawtx),
      clientIdentifier: keeper.shop.clientIdentifier,
    });
    expect((await app.post('/api/v2/payments', report, bearer(people.payer))).status).toBe(201);
    expect((await send(keeper, other)).status).toBe(200);
    for (const application of [keeper.shop, keeper.other]) {
      const events = await told(application);
      expect(events.filter(([, id]) => id === report.id)).toEqual([['payment.received', report.id]]);
      expect(events.filter(([, id]) => id === failed.id)).toEqual([
        ['payment.received', failed.id],
        ['payment.failed', failed.id],
      ]);
    }
  });

  it('a payment to oneself is one payment', async () => {
    const made = await createTestDelivery(database.db, Number(people.payer.user.id), people.payer.user.paymail, now(), {
      senderKey: wallet.publicKey,
    });
    arc.statuses.set(made.received.txid, 'SEEN_ON_NETWORK');
    const before = (await app.get(`/api/v1/users/${people.payer.user.id}/payments?page[size]=1`, bearer(people.payer)))
      .body.meta['total-pages'];
    await made.deliver();
    await app.post('/api/v2/payments', made.report, bearer(people.payer));
    expect((await own(people.payer)).filter(({ txid }) => txid === made.received.txid)).toHaveLength(1);
    expect(
      (await app.get(`/api/v1/users/${people.payer.user.id}/payments?page[size]=1`, bearer(people.payer))).body.meta[
        'total-pages'
      ],
    ).toBe(before + 1);
  });

  it('[S-03] [S-04] keep crypto operations with the payment, show them in both generations, and accept a repeated report', async () => {
    const keeper = await newKeeper();
    const { report: made } = await newDelivery(keeper);
    const nothing = {
      value: null,
      valueEncoding: null,
      key: 'identity' as const,
      algorithm: null,
      publicKey: null,
      paymail: null,
      signature: null,
      verified: null,
    };
    const signer = createTestWallet();
    const signature = signer.sign('hello');
    const cryptoOperations: CryptoResult[] = [
      {
        ...nothing,
        id: '1',
        name: 'proof',
        method: 'sign',
        data: 'hello',
        dataEncoding: 'utf8',
        publicKey: signer.publicKey,
        signature,
        value: signature,
        valueEncoding: 'base64',
        algorithm: 'bitcoin-signed-message',
      },
      {
        ...nothing,
        id: '2',
        name: 'sealed',
        method: 'encrypt',
        data: null,
        dataEncoding: 'utf8',
        value: 'ff'.repeat(9_000),
        valueEncoding: 'hex',
      },
    ];
    const report = { ...made, cryptoOperations };
    expect((await app.post('/api/v2/payments', report, bearer(people.payer))).status).toBe(201);
    expect((await app.post('/api/v2/payments', report, bearer(people.payer))).status).toBe(200);
    expect((await app.post('/api/v2/payments', made, bearer(people.payer))).status).toBe(409);
    expect(
      (await app.get(`/api/v2/payments/${report.id}`, bearer(people.payer))).body.payment.cryptoOperations,
    ).toEqual(cryptoOperations.map((one) => ({ ...one, checked: one.method === 'sign' })));
    const { data, included } = (await app.get(`/api/v1/payments/${report.id}`, bearer(people.payer))).body;
    expect(data.relationships['crypto-operations'].data).toEqual(
      ['1', '2'].map((id) => ({ id: `${report.id}-${id}`, type: 'crypto-operations' })),
    );
    expect(
      included
        .filter((one: any) => one.type === 'crypto-operations')
        .map((one: any) => [one.attributes.name, one.attributes.value]),
    ).toEqual([
      ['proof', signature],
      ['sealed', 'ff'.repeat(9_000)],
    ]);
    // Lists omit the long values.
    const [inList] = (await own(people.payer)).filter(({ id }) => id === report.id);
    expect(inList.cryptoOperations.map((one: CryptoResult) => [one.id, one.value])).toEqual([
      ['1', signature],
      ['2', null],
    ]);
    const secret = {
      ...report,
      id: crypto.randomUUID(),
      cryptoOperations: [{ ...cryptoOperations[1], data: 'secret' }],
    };
    expect((await app.post('/api/v2/payments', secret, bearer(people.payer))).status).toBe(400);
  });

  it('[S-08] don’t widen a restored wallet’s gap if the network finally rejects the payment that moved it', async () => {
    const keeper = await newKeeper();
    const id = Number(keeper.session.user.id);
    const indexesOf = async (count: number) => (await issueAddresses(database.db, id, count)).map(({ index }) => index);
    await (await newDelivery(keeper)).deliver();
    expect(await indexesOf(16)).toEqual(Array.from({ length: 16 }, (_, i) => 2 + i));
    const replaced = await newDelivery(keeper);
    await replaced.deliver();
    expect(await indexesOf(1)).toEqual([20]);
    arc.statuses.set(replaced.received.txid, 'REJECTED');
    await follow();
    // Index 1 is the last paid index. A restored wallet searches the next twenty.
    expect(await indexesOf(4)).toEqual([21, 2, 3, 4]);
    await (await newDelivery(keeper)).deliver();
    expect(await indexesOf(1)).toEqual([22]);
  });

  it('[S-08] count the gap from a failed payment again if it is mined after all', async () => {
    const keeper = await newKeeper();
    const baseOf = async () =>
      (
        await database.db
          .select({ base: users.receivingBase })
          .from(users)
          .where(eq(users.id, Number(keeper.session.user.id)))
      )[0]?.base;
    await (await newDelivery(keeper)).deliver();
    const { deliver, received } = await newDelivery(keeper);
    await deliver();
    const bases = [await baseOf()];
    arc.statuses.set(received.txid, 'REJECTED');
    await follow();
    bases.push(await baseOf());
    arc.statuses.set(received.txid, 'MINED');
    await checkSoon(database.db, [received.txid], now());
    await follow();
    // Each delivery pays two addresses.
    expect([...bases, await baseOf()]).toEqual([4, 2, 4]);
  });

  it('[S-08] don’t widen a restored wallet’s gap if their report has failed before they are delivered', async () => {
    const keeper = await newKeeper();
    const id = Number(keeper.session.user.id);
    // The delivery's only address is at the last index within the gap.
    await issueAddresses(database.db, id, GAP_LIMIT - 1);
    const { report, received } = await newDelivery(keeper, 5_000n);
    expect((await app.post('/api/v2/payments', report, bearer(people.payer))).status).toBe(201);
    await finishPayment(database.db, report.id, { status: 'FAILED', description: null }, now());
    expect((await send(keeper, received)).status).toBe(200);
    const nextIndexes = async () =>
      (await issueAddresses(database.db, id, GAP_LIMIT)).map(({ index }) => index).toSorted((a, b) => a - b);
    expect(await nextIndexes()).toEqual(Array.from({ length: GAP_LIMIT }, (_, i) => i));
    await finishPayment(database.db, report.id, { status: 'COMPLETED', description: null }, now());
    expect(await nextIndexes()).toEqual(Array.from({ length: GAP_LIMIT }, (_, i) => GAP_LIMIT + i));
  });

  it('don’t scan all applications for the ones to notify of a receipt, report or outcome', async () => {
    const keeper = await newKeeper();
    const [row] = await database.db.select().from(applications).where(eq(applications.id, keeper.shop.id));
    await database.db.insert(applications).values(
      Array.from({ length: 200 }, (_, i) => ({
        ...(row as typeof applications.$inferInsert),
        id: randomUUID(),
        ownerId: Number(people.stranger.user.id),
        clientIdentifier: `other-${i}`,
        oauthIdentifier: `other-${i}`,
      })),
    );
    const { received, report } = await newDelivery(keeper);
    const [before, after] = await database.db.transaction(async (tx) => {
      const looked = async () =>
        (
          (await tx.execute(
            sql`select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname = 'applications'`,
          )) as any
        ).rows[0].n as number;
      // By default, the planner would scan such a small table, and it has already cached a plan with a scan.
      await tx.execute(sql`set local enable_seqscan = off`);
      await tx.execute(sql`discard plans`);
      const counted = await looked();
      await storeReceived(tx, received, now());
      await insertPayment(
        tx,
        Number(people.payer.user.id),
        { ...report, clientIdentifier: keeper.shop.clientIdentifier },
        checkedOf(received, keeper),
        now(),
      );
      await finishPayment(tx, report.id, { status: 'FAILED', description: null }, now());
      return [counted, await looked()] as const;
    });
    expect(after - before).toBeLessThan(100);
    expect((await told(keeper.shop)).map(([type]) => type)).toEqual(['payment.received', 'payment.failed']);
  });
});
