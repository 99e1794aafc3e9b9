import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import type { Session } from '../../protocol/http/api.ts';
import { refundsResponse } from '../../protocol/http/api-v2.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { paymentOutputs, rateLimits } from '../database/schema.ts';
import { createTestDelivery } from '../received/testing-delivery.ts';
import { finishPayment } from '../settlement/payment-status.ts';
import {
  bearer,
  createTestWallet,
  register,
  registerApplication,
  type TestApplication,
  type TestWallet,
} from '../testing.ts';
import { useService } from '../testing-service.ts';
import { claimDue } from '../webhooks/queue.ts';
import { findRefund } from './refund.ts';
import {
  createTestReport,
  createTokenReport,
  proveAnonymously,
  proveReport,
  type TestReport,
} from './testing-report.ts';

const PAYMENTS = '/api/v2/payments';

type Paid = Pick<TestReport, 'report' | 'key'>;

describe('a refund', () => {
  const { app, arc, database } = useService();
  const [payer, keeper, stranger] = [createTestWallet(), createTestWallet(), createTestWallet()];
  let sessions: Map<TestWallet, Session>;
  let application: TestApplication;

  beforeAll(async () => {
    sessions = new Map();
    for (const [wallet, handle] of [
      [payer, 'payer'],
      [keeper, 'keeper'],
      [stranger, 'stranger'],
    ] as const)
      sessions.set(wallet, await register(app, wallet, handle));
    application = await registerApplication(app, as(keeper), { webhookUrl: 'https://shop.example/hook' });
  });

  const as = (wallet: TestWallet) => sessions.get(wallet) as Session;
  const read = async (id: string, wallet = keeper) =>
    (await app.get(`${PAYMENTS}/${id}`, bearer(as(wallet)))).body.payment;
  const eventsOf = async (id: string) =>
    (
      (await database.db.execute(
        sql`select body from webhook_events where payment_id = ${id}::uuid and type = 'payment.refunded' order by sequence`,
      )) as unknown as { rows: { body: string }[] }
    ).rows.map(({ body }) => JSON.parse(body));

  const salesCounted = async () =>
    (
      (await database.db.execute(
        sql`select coalesce(sum(payments), 0)::int as n from payment_sums where client_identifier = ${application.clientIdentifier}`,
      )) as unknown as { rows: { n: number }[] }
    ).rows[0]?.n ?? 0;

  async function sale(
    satoshis = 200_000n,
    by = payer,
    made = createTestReport([satoshis], by.publicKey),
  ): Promise<TestReport> {
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    const { inputProof: _, ...report } = { ...made.report, clientIdentifier: application.clientIdentifier };
    const proven = { ...made, report: proveReport(report, by.publicKey, made.key) };
    expect((await app.post(PAYMENTS, proven.report, bearer(as(by)))).status).toBe(201);
    return proven;
  }

  function withMoney(made: TestReport): TestReport {
    const [, change] = made.transaction.outputs;
    const [script, satoshis] = [change?.lockingScript ?? new Uint8Array(), `${change?.satoshis}`];
    const address = writeAddress(script.slice(3, 23), 'devnet');
    const [token] = made.report.outputs as [TestReport['report']['outputs'][0]];
    const money = {
      ...token,
      to: address,
      address,
      currency: 'USD',
      amount: '0.10',
      satoshis,
      scripts: [{ script: toHex(script), satoshis }],
    };
    return { ...made, report: { ...made.report, amount: '0.10', currency: 'USD', outputs: [token, money] } };
  }

  function refundOf(of: Paid, satoshis: bigint, { by = keeper, to = of, id = of.report.id } = {}) {
    const made = createTestReport([satoshis], by.publicKey);
    const hash = Uint8Array.from(to.key.toPublicKey().toHash() as number[]);
    const [script, address] = [p2pkhScript(hash), writeAddress(hash, 'devnet')];
    const transaction = { ...made.transaction, outputs: [{ satoshis, lockingScript: script }] };
    const rawtx = serializeTransaction(transaction);
    const [output] = made.report.outputs as [TestReport['report']['outputs'][0]];
    const { inputProof: _, ...report } = {
      ...made.report,
      rawtx: toHex(rawtx),
      clientIdentifier: application.clientIdentifier,
      refundOf: id,
      outputs: [
        { ...output, to: address, address, scripts: [{ script: toHex(script), satoshis: satoshis.toString() }] },
      ],
    };
    arc.statuses.set(txidOf(rawtx), 'SEEN_ON_NETWORK');
    return { report, key: made.key, txid: txidOf(rawtx) };
  }

  async function refund(
    of: Paid,
    satoshis: bigint,
    { by = keeper, ...more }: { by?: TestWallet; to?: Paid; id?: string } = {},
  ) {
    const { report, key, txid } = refundOf(of, satoshis, { by, ...more });
    const { status, body } = await app.post(PAYMENTS, proveReport(report, by.publicKey, key), bearer(as(by)));
    expect(status, JSON.stringify(body)).toBe(201);
    return { report: proveReport(report, by.publicKey, key), payment: body.payment, txid };
  }

  const pays = ({ report }: TestReport, wallet: TestWallet, satoshis: number) =>
    database.db
      .update(paymentOutputs)
      .set({ recipientId: Number(as(wallet).user.id), satoshis: BigInt(satoshis) })
      .where(eq(paymentOutputs.paymentId, report.id));

  it.each(['alone', 'beside money'])(
    'can’t refund a payment in tokens %s, whose satoshi isn’t the amount',
    async (how) => {
      const made = createTokenReport(payer.publicKey, { id: `${'ab'.repeat(32)}_0`, units: 25n });
      const sold = await sale(1n, payer, how === 'alone' ? made : withMoney(made));
      expect((await refund(sold, 50_000n)).payment).toMatchObject({ refundOf: sold.report.id, refundSatoshis: null });
      expect((await read(sold.report.id)).refundedSatoshis).toBe('0');
    },
  );

  it('adds each part to the refunded payment for payer and shop, with an event', async () => {
    const sold = await sale();
    expect(await read(sold.report.id)).toMatchObject({ refundOf: null, refundSatoshis: null, refundedSatoshis: '0' });
    const first = await refund(sold, 50_000n);
    expect(first.payment).toMatchObject({ refundOf: sold.report.id, refundSatoshis: '50000', refundedSatoshis: '0' });
    const second = await refund(sold, 150_000n);
    for (const wallet of [payer, keeper])
      expect(await read(sold.report.id, wallet)).toMatchObject({ refundedSatoshis: '200000', status: 'RECEIVED' });
    expect((await eventsOf(sold.report.id)).map(({ data }) => [data.payment.refundedSatoshis, data.refund])).toEqual([
      ['50000', { paymentId: first.report.id, txid: first.txid, satoshis: '50000' }],
      ['200000', { paymentId: second.report.id, txid: second.txid, satoshis: '150000' }],
    ]);
  });

  it('only the refunded wallet can list it, newest first and without failed ones', async () => {
    const buyer = createTestWallet();
    sessions.set(buyer, await register(app, buyer, 'buyer'));
    const list = async (wallet: TestWallet) =>
      refundsResponse.parse((await app.get('/api/v2/me/refunds', bearer(as(wallet)))).body).refunds;
    const sold = await sale(200_000n, buyer);
    const [first, failed, second] = [
      await refund(sold, 50_000n),
      await refund(sold, 10_000n),
      await refund(sold, 20_000n),
    ];
    await finishPayment(database.db, failed.report.id, { status: 'FAILED', description: null }, new Date());
    expect(new Set(await list(buyer))).toEqual(
      new Set([
        { paymentId: sold.report.id, txid: second.txid, satoshis: '20000' },
        { paymentId: sold.report.id, txid: first.txid, satoshis: '50000' },
      ]),
    );
    for (const other of [keeper, stranger])
      expect((await list(other)).map(({ paymentId }) => paymentId)).not.toContain(sold.report.id);
    expect((await app.get('/api/v2/me/refunds')).status).toBe(401);
  });

  it('counts once, even if it is reported repeatedly', async () => {
    const sold = await sale();
    const { report } = await refund(sold, 60_000n);
    expect((await app.post(PAYMENTS, report, bearer(as(keeper)))).status).toBe(200);
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '60000' });
    expect(await eventsOf(sold.report.id)).toHaveLength(1);
  });

  it('doesn’t count while the network has rejected it', async () => {
    const sold = await sale();
    const [kept, failed] = [await refund(sold, 60_000n), await refund(sold, 70_000n)];
    await Promise.all(
      [0, 1].map(() =>
        finishPayment(database.db, failed.report.id, { status: 'FAILED', description: null }, new Date()),
      ),
    );
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '60000' });
    await finishPayment(database.db, kept.report.id, { status: 'COMPLETED', description: null }, new Date());
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '60000' });
    // The failed refund is mined after all. Concurrent instances count the refund only once.
    await Promise.all(
      [1, 2].map(() =>
        finishPayment(database.db, failed.report.id, { status: 'COMPLETED', description: null }, new Date()),
      ),
    );
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '130000' });
  });

  it('concurrent refunds add up exactly', async () => {
    const sold = await sale();
    await Promise.all(Array.from({ length: 12 }, () => refund(sold, 1_000n)));
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '12000' });
    expect((await eventsOf(sold.report.id)).map(({ data }) => Number(data.payment.refundedSatoshis))).toEqual(
      Array.from({ length: 12 }, (_, i) => 1000 * (i + 1)),
    );
  });

  it('counts at most the remainder of the payment', async () => {
    const sold = await sale();
    expect((await refund(sold, 150_000n)).payment).toMatchObject({ refundSatoshis: '150000' });
    expect((await refund(sold, 150_000n)).payment).toMatchObject({ refundSatoshis: '50000' });
    expect((await refund(sold, 150_000n)).payment).toMatchObject({ refundSatoshis: null });
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '200000' });
  });

  it('counts at most the amount paid to its sender, unless the sender owns the application', async () => {
    const sold = await sale();
    await pays(sold, stranger, 30_000);
    expect((await refund(sold, 20_000n, { by: stranger })).payment).toMatchObject({ refundSatoshis: '20000' });
    expect((await refund(sold, 20_000n, { by: stranger })).payment).toMatchObject({ refundSatoshis: '10000' });
    expect((await refund(sold, 20_000n, { by: stranger })).payment).toMatchObject({ refundSatoshis: null });
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '30000' });
  });

  it('a failed refund frees a recipient’s part again', async () => {
    const sold = await sale();
    await pays(sold, stranger, 30_000);
    const { report } = await refund(sold, 20_000n, { by: stranger });
    await finishPayment(database.db, report.id, { status: 'FAILED', description: null }, new Date());
    expect((await refund(sold, 30_000n, { by: stranger })).payment).toMatchObject({ refundSatoshis: '30000' });
  });

  it('counts at most what earlier refunds have left, even for a recipient’s own part', async () => {
    const sold = await sale();
    await pays(sold, stranger, 30_000);
    await refund(sold, 190_000n);
    expect((await refund(sold, 30_000n, { by: stranger })).payment).toMatchObject({ refundSatoshis: '10000' });
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '200000' });
  });

  it('counts only if a payee sends it, for a payment without an application', async () => {
    const made = createTestReport([200_000n], payer.publicKey);
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    expect((await app.post(PAYMENTS, made.report, bearer(as(payer)))).status).toBe(201);
    await pays(made, stranger, 30_000);
    expect((await refund(made, 20_000n, { by: keeper })).payment).toMatchObject({ refundSatoshis: null });
    expect((await refund(made, 20_000n, { by: stranger })).payment).toMatchObject({ refundSatoshis: '20000' });
  });

  it('an application that was notified of a payment before its report is notified of the refund', async () => {
    const { user } = as(keeper);
    const sold = await createTestDelivery(database.db, Number(user.id), user.paymail, new Date(app.clock.ms), {
      senderKey: payer.publicKey,
    });
    arc.statuses.set(sold.received.txid, 'SEEN_ON_NETWORK');
    await sold.deliver();
    // Earlier tests' events are due too.
    while ((await claimDue(database.db, new Map(), 100, new Date(app.clock.ms + 1))).length > 0);
    expect((await app.post(PAYMENTS, sold.report, bearer(as(payer)))).status).toBe(201);
    const { payment, txid } = await refund(sold, 500_000n);
    expect((await eventsOf(sold.report.id)).map(({ data }) => [data.payment.refundedSatoshis, data.refund])).toEqual([
      ['500000', { paymentId: payment.id, txid, satoshis: '500000' }],
    ]);
  });

  describe('a refund to the payer’s account', () => {
    async function toPaymail(sold: TestReport) {
      const { user } = as(payer);
      const made = await createTestDelivery(database.db, Number(user.id), user.paymail, new Date(app.clock.ms), {
        satoshis: 60_000n,
        senderKey: keeper.publicKey,
      });
      arc.statuses.set(made.received.txid, 'SEEN_ON_NETWORK');
      const { clientIdentifier } = application;
      return { ...made, report: made.reportWith({ refundOf: sold.report.id, clientIdentifier }) };
    }

    it('counts before and after the payment is claimed', async () => {
      const sold = await sale();
      const { report } = await toPaymail(sold);
      expect((await app.post(PAYMENTS, report, bearer(as(keeper)))).body.payment).toMatchObject({
        refundSatoshis: '60000',
      });
      const { report: later, key } = await toPaymail(sold);
      expect((await app.post(PAYMENTS, proveAnonymously(later, app.baseUrl, key))).status).toBe(201);
      expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '60000' });
      expect((await app.post(PAYMENTS, later, bearer(as(keeper)))).body.payment).toMatchObject({
        refundSatoshis: '60000',
      });
      expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '120000' });
    });

    it('doesn’t count if the payer has no account, nor for a token’s satoshi', async () => {
      const [sold, made] = [await sale(), createTestReport([200_000n], payer.publicKey)];
      arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
      const { inputProof: _, ...report } = { ...made.report, clientIdentifier: application.clientIdentifier };
      expect((await app.post(PAYMENTS, proveAnonymously(report, app.baseUrl, made.key))).status).toBe(201);
      const [keeperId, payerId] = [Number(as(keeper).user.id), Number(as(payer).user.id)];
      const scripts = [{ script: '51', satoshis: '1' }];
      const found = (refundOf: string, currency: string, recipient: number | null) =>
        database.db.transaction((tx) =>
          findRefund(tx, { refundOf, outputs: [{ currency, scripts }] }, [recipient], keeperId),
        );
      expect(await found(sold.report.id, 'BSV', payerId)).toMatchObject({ satoshis: 1n });
      expect(await found(sold.report.id, `${'ab'.repeat(32)}_0`, payerId)).toBeNull();
      expect(await found(report.id, 'BSV', null)).toBeNull();
    });
  });

  it('counts once an account claims a report made without one, and no longer counts as a sale then', async () => {
    const sold = await sale();
    const made = refundOf(sold, 60_000n);
    const anonymous = proveAnonymously(made.report, app.baseUrl, made.key);
    const before = await salesCounted();
    expect((await app.post(PAYMENTS, anonymous)).status).toBe(201);
    expect(await salesCounted()).toBeGreaterThan(before);
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '0' });
    const claimed = proveReport(made.report, keeper.publicKey, made.key);
    const claims = await Promise.all(Array.from({ length: 4 }, () => app.post(PAYMENTS, claimed, bearer(as(keeper)))));
    for (const { status, body } of claims)
      expect([status, body.payment]).toMatchObject([200, { userId: as(keeper).user.id, refundSatoshis: '60000' }]);
    expect(await salesCounted()).toBe(before);
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '60000' });
    expect(await eventsOf(sold.report.id)).toHaveLength(1);
  });

  it('locks the refunded payment before itself, as its failure does, so they can’t deadlock', async () => {
    const sold = await sale();
    const { report, key } = refundOf(sold, 60_000n);
    expect((await app.post(PAYMENTS, proveAnonymously(report, app.baseUrl, key))).status).toBe(201);
    const claiming = await database.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from payments where id = ${sold.report.id}::uuid for update`);
      const claim = app.post(PAYMENTS, proveReport(report, keeper.publicKey, key), bearer(as(keeper)));
      const waits = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await vi.waitFor(async () => expect((await database.db.execute(waits)) as object).toMatchObject({ rowCount: 1 }));
      await tx.execute(sql`select 1 from payments where id = ${report.id}::uuid for update nowait`);
      return { claim };
    });
    expect((await claiming.claim).body.payment).toMatchObject({ refundSatoshis: '60000' });
  });

  describe('refunds of a payment with a large transaction', () => {
    const isBucket = sql`key like 'refund-events:%'`;
    const send = async ({ report, key }: ReturnType<typeof refundOf>) => {
      const { status, body } = await app.post(PAYMENTS, proveReport(report, keeper.publicKey, key), bearer(as(keeper)));
      return [status, body.error?.code ?? body.payment.refundSatoshis];
    };
    let sold: TestReport;

    beforeAll(async () => {
      const made = createTestReport([200_000n], payer.publicKey);
      const data = { satoshis: 0n, lockingScript: new Uint8Array(500_000).fill(0x6a) };
      const rawtx = serializeTransaction({ ...made.transaction, outputs: [...made.transaction.outputs, data] });
      sold = await sale(200_000n, payer, {
        ...made,
        txid: txidOf(rawtx),
        report: { ...made.report, rawtx: toHex(rawtx) },
      });
    });
    beforeEach(() => database.db.delete(rateLimits).where(isBucket));

    it('count with the size of their events toward their sender’s limit', async () => {
      await refund(sold, 1_000n);
      const [event] = await eventsOf(sold.report.id);
      const [bucket] = await database.db.select().from(rateLimits).where(isBucket);
      const spent = 20_000 - bucket!.left / 1000;
      expect(spent / (JSON.stringify(event).length / 1000)).toBeCloseTo(1, 1);
    });

    it.each(['reported', 'claimed'])(
      'a refund is accepted later if the limit is exceeded when it is %s',
      async (how) => {
        const before = BigInt((await read(sold.report.id)).refundedSatoshis);
        await refund(sold, 1_000n);
        await database.db.update(rateLimits).set({ left: 500_000 }).where(isBucket);
        const made = refundOf(sold, 1_000n);
        if (how === 'claimed') await app.post(PAYMENTS, proveAnonymously(made.report, app.baseUrl, made.key));
        expect(await send(made)).toEqual([429, 'too-many-requests']);
        expect((await read(sold.report.id)).refundedSatoshis).toBe(String(before + 1_000n));
        await refund(await sale(), 1_000n);
        app.clock.ms += 60_000;
        expect(await send(made)).toEqual([how === 'claimed' ? 200 : 201, '1000']);
        expect((await read(sold.report.id)).refundedSatoshis).toBe(String(before + 2_000n));
      },
    );
  });

  it('doesn’t count if it names itself as the refunded payment', async () => {
    const made = createTestReport([60_000n], keeper.publicKey);
    const hash = Uint8Array.from(made.key.toPublicKey().toHash() as number[]);
    const [script, address] = [p2pkhScript(hash), writeAddress(hash, 'devnet')];
    const rawtx = serializeTransaction({
      ...made.transaction,
      outputs: [{ satoshis: 60_000n, lockingScript: script }],
    });
    const scripts = [{ script: toHex(script), satoshis: '60000' }];
    const [output] = made.report.outputs as [TestReport['report']['outputs'][0]];
    const { inputProof: _, ...report } = {
      ...made.report,
      rawtx: toHex(rawtx),
      clientIdentifier: application.clientIdentifier,
      refundOf: made.report.id,
      outputs: [{ ...output, to: address, address, scripts }],
    };
    arc.statuses.set(txidOf(rawtx), 'SEEN_ON_NETWORK');
    expect((await app.post(PAYMENTS, proveAnonymously(report, app.baseUrl, made.key))).status).toBe(201);
    const claim = await app.post(PAYMENTS, proveReport(report, keeper.publicKey, made.key), bearer(as(keeper)));
    expect([claim.status, claim.body.payment]).toMatchObject([200, { refundSatoshis: null, refundedSatoshis: '0' }]);
  });

  it('claimed after a failure, counts only if it is mined after all, and never as a sale', async () => {
    const sold = await sale();
    const before = await salesCounted();
    const { report, key } = refundOf(sold, 60_000n);
    expect((await app.post(PAYMENTS, proveAnonymously(report, app.baseUrl, key))).status).toBe(201);
    await finishPayment(database.db, report.id, { status: 'FAILED', description: null }, new Date());
    const claim = await app.post(PAYMENTS, proveReport(report, keeper.publicKey, key), bearer(as(keeper)));
    expect([claim.status, claim.body.payment]).toMatchObject([
      200,
      { userId: as(keeper).user.id, status: 'FAILED', refundSatoshis: '60000' },
    ]);
    expect([await salesCounted(), await read(sold.report.id)]).toMatchObject([before, { refundedSatoshis: '0' }]);
    expect(await eventsOf(sold.report.id)).toEqual([]);
    await finishPayment(database.db, report.id, { status: 'COMPLETED', description: null }, new Date());
    expect([await salesCounted(), await read(sold.report.id)]).toMatchObject([before, { refundedSatoshis: '60000' }]);
    expect((await eventsOf(sold.report.id)).map(({ data }) => [data.payment.refundedSatoshis, data.refund])).toEqual([
      ['60000', { paymentId: report.id, txid: expect.any(String), satoshis: '60000' }],
    ]);
  });

  it('counts as an ordinary payment if the refunded payment has failed', async () => {
    const sold = await sale();
    await finishPayment(database.db, sold.report.id, { status: 'FAILED', description: null }, new Date());
    expect((await refund(sold, 50_000n)).payment).toMatchObject({ status: 'RECEIVED', refundSatoshis: null });
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '0' });
  });

  it.each<[string, Parameters<typeof refund>[2] | 'another payer', string | null]>([
    ['pays somebody else than the payer', 'another payer', null],
    ['comes from somebody who was not paid', { by: stranger }, null],
    ['comes from the payer', { by: payer }, null],
    ['names no payment that is known', { id: '2f0e1f6a-64a5-4a8e-9c0d-0a8c2b7c1d11' }, null],
    ['names what is no id', { id: 'order 7' }, null],
  ])('counts as an ordinary payment if it %s', async (_, change) => {
    const sold = await sale();
    const options = change === 'another payer' ? { to: await sale() } : change;
    const { payment } = await refund(sold, 50_000n, options);
    expect(payment).toMatchObject({ status: 'RECEIVED', refundSatoshis: null });
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '0' });
    expect(await eventsOf(sold.report.id)).toEqual([]);
  });

  it('sends no webhook in the original service’s format, whose handlers would deliver again', async () => {
    const body = {
      ...(await app.get(`/api/v2/me/applications/${application.id}`, bearer(as(keeper)))).body.application,
    };
    await app.send(
      'PATCH',
      `/api/v2/me/applications/${application.id}`,
      { webhookBodySecret: 'its own secret' },
      bearer(as(keeper)),
    );
    expect(body.webhookUrl).toBe('https://shop.example/hook');
    const sold = await sale();
    await refund(sold, 50_000n);
    expect(await read(sold.report.id)).toMatchObject({ refundedSatoshis: '50000' });
    expect(await eventsOf(sold.report.id)).toEqual([]);
  });
});
