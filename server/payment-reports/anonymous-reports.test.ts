import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { anonymousReportResponse, type PaymentReport, type Session } from '../../protocol/http/api.ts';
import {
  bearer,
  createTestWallet,
  register,
  registerApplication,
  startTestApp,
  type TestApplication,
} from '../testing.ts';
import { createTestReport, proveAnonymously, proveReport } from './testing-report.ts';
import { findPayment, type StoredPayment } from '../payments/stored-payment.ts';
import { createTestDelivery } from '../received/testing-delivery.ts';
import { useService } from '../testing-service.ts';
import { claimPayment } from './store.ts';

const PAYMENTS = '/api/v2/payments';

describe('reports from wallets without an account', () => {
  const { app, arc, database } = useService({ trustedProxies: '127.0.0.1' });
  let owner: Session;
  let application: TestApplication;
  const wallet = createTestWallet();
  const wallet2 = createTestWallet();

  beforeAll(async () => {
    owner = await register(app, wallet, 'shopkeeper');
    application = await registerApplication(app, owner, { webhookUrl: 'https://shop.example/hook' });
  });

  const accepted = (change: Partial<PaymentReport> = {}, service = app.baseUrl) => {
    const made = createTestReport([200_000n], wallet.publicKey);
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    const { inputProof: _, ...report } = { ...made.report, clientIdentifier: application.clientIdentifier, ...change };
    return { ...made, report: proveAnonymously(report, service, made.key) };
  };
  const rows = async () =>
    (
      (await database.db.execute(
        sql`select (select count(*) from payments) as p, (select count(*) from payment_outputs) as o, (select count(*) from idempotency_keys) as k`,
      )) as any
    ).rows[0];
  const codeOf = (answer: { status: number; body: any }) => [answer.status, answer.body.error?.code];
  const events = async (id: string) =>
    ((await database.db.execute(sql`select type from webhook_events where payment_id = ${id}::uuid`)) as any).rows.map(
      ({ type }: { type: string }) => type,
    );

  it('the button’s shop gets them in its list and its webhook, without a sender', async () => {
    const { report, txid } = accepted();
    const first = await app.post(PAYMENTS, report);
    expect(first.status).toBe(201);
    expect(anonymousReportResponse.parse(first.body)).toEqual({ payment: { id: report.id, txid, status: 'RECEIVED' } });
    const again = await app.post(PAYMENTS, report);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const { payment } = (await app.get(`${PAYMENTS}/${report.id}`, bearer(owner))).body;
    expect(payment).toMatchObject({
      id: report.id,
      txid,
      status: 'RECEIVED',
      userId: null,
      buttonId: 'invoice-1',
      clientIdentifier: application.clientIdentifier,
    });
    expect(
      (await app.get(`${PAYMENTS}?buttonId=invoice-1`, bearer(owner))).body.payments.map((one: any) => one.id),
    ).toContain(report.id);
    expect(await events(report.id)).toEqual(['payment.received']);
    // Knowing only the payment's ID gives no access.
    expect(codeOf(await app.get(`${PAYMENTS}/${report.id}`))).toEqual([401, 'unauthenticated']);
  });

  it('[S-09] the payee’s account at this service gets them, for any page or application', async () => {
    const { received, report, key } = await createTestDelivery(
      database.db,
      Number(owner.user.id),
      owner.user.paymail,
      new Date(app.clock.ms),
    );
    arc.statuses.set(received.txid, 'SEEN_ON_NETWORK');
    expect((await app.post(PAYMENTS, proveAnonymously(report, app.baseUrl, key))).status).toBe(201);
    expect((await app.get(`/api/v2/me/payments/${report.id}`, bearer(owner))).body.payment).toMatchObject({
      userId: null,
      clientIdentifier: null,
      outputs: [{ type: 'PAYMAIL', paymail: owner.user.paymail, satoshis: '500000' }],
    });
  });

  it('the service rejects them permanently without an application or recipient at this service, and stores nothing', async () => {
    const [stored, asked] = [await rows(), arc.requests];
    for (const clientIdentifier of [null, 'somebody-elses'])
      expect(codeOf(await app.post(PAYMENTS, accepted({ clientIdentifier }).report))).toEqual([
        422,
        'unrelated-payment',
      ]);
    expect([await rows(), arc.requests]).toEqual([stored, asked]);
  });

  it('count only with a proof by the first input’s key that names this very service and payment', async () => {
    const stored = await rows();
    const { report, key } = accepted();
    const wrong: [string, PaymentReport][] = [
      ['made for another service', proveAnonymously(report, 'https://other.example', key)],
      ['made for an account', proveReport(report, wallet.publicKey, key)],
      ['of another payment', { ...report, id: randomUUID() }],
      ['by another key', proveAnonymously(report, app.baseUrl, accepted().key)],
    ];
    for (const [name, one] of wrong)
      expect(codeOf(await app.post(PAYMENTS, one)), name).toEqual([422, 'payment-mismatch']);
    expect(await rows()).toEqual(stored);
    // An anonymous proof isn't accepted from a signed-in user either.
    expect(codeOf(await app.post(PAYMENTS, report, bearer(owner)))).toEqual([422, 'payment-mismatch']);
    expect(codeOf(await app.post(PAYMENTS, report, { Authorization: 'Bearer wallet_nobody' }))).toEqual([
      401,
      'unauthenticated',
    ]);
  });

  it('move to the account that the wallet creates later only with its proof, without another webhook', async () => {
    const { report, key } = accepted();
    expect((await app.post(PAYMENTS, report)).status).toBe(201);
    const user = await register(app, wallet2, 'later');
    const stranger = await register(app, createTestWallet(), 'stranger');
    const own = proveReport(report, wallet2.publicKey, key);
    const before = await rows();
    // The anonymous proof, another account's report and a different report can't claim the payment.
    for (const [one, by, answered] of [
      [report, user, [422, 'payment-mismatch']],
      [own, stranger, [422, 'payment-mismatch']],
      [{ ...own, origin: 'https://other.example' }, user, [409, 'payment-conflict']],
    ] as const)
      expect(codeOf(await app.post(PAYMENTS, one, bearer(by)))).toEqual(answered);
    const claims = await Promise.all(Array.from({ length: 4 }, () => app.post(PAYMENTS, own, bearer(user))));
    expect(claims.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const paymail = claims[0]?.body.payment.senderPaymail as string;
    expect(paymail).toMatch(/^later@/);
    for (const { body } of claims)
      expect(body.payment).toMatchObject({ id: report.id, userId: user.user.id, senderPaymail: paymail });
    expect(
      (await app.get('/api/v2/me/payments', bearer(user))).body.payments.map(({ id }: { id: string }) => id),
    ).toEqual([report.id]);
    expect((await app.get(`${PAYMENTS}/${report.id}`, bearer(owner))).body.payment).toMatchObject({
      userId: user.user.id,
    });
    expect([await rows(), await events(report.id)]).toEqual([before, ['payment.received']]);
    // After the claim, reports without an account or from other accounts conflict.
    expect(codeOf(await app.post(PAYMENTS, report))).toEqual([409, 'payment-conflict']);
    expect(codeOf(await app.post(PAYMENTS, own, bearer(stranger)))).toEqual([409, 'payment-conflict']);
  });

  it('become the payment of only one account, even with concurrent claims', async () => {
    const { report } = accepted();
    await app.post(PAYMENTS, report);
    const [one, two] = [await register(app, createTestWallet(), 'one'), await register(app, createTestWallet(), 'two')];
    const read = (await findPayment(database.db, report.id)) as StoredPayment;
    const claim = ({ user }: Session) =>
      claimPayment(database.db, read, { id: Number(user.id), paymail: user.paymail }, new Date(app.clock.ms));
    const owners = [one, two, one, two].map(({ user }) => Number(user.id));
    const claims = (await Promise.all([one, two, one, two].map(claim))).map((claimed) => claimed?.payment.userId);
    const owner = claims.find((id) => id !== undefined);
    expect(owners).toContain(owner);
    expect(claims).toEqual(owners.map((id) => (id === owner ? owner : undefined)));
    expect((await findPayment(database.db, report.id))?.payment.userId).toBe(owner);
  });

  it('the service rejects a report until the network has the transaction', async () => {
    const { report, txid } = accepted();
    arc.statuses.delete(txid);
    expect(codeOf(await app.post(PAYMENTS, report))).toEqual([422, 'not-accepted']);
    arc.statuses.set(txid, 'SENT_TO_NETWORK');
    expect(codeOf(await app.post(PAYMENTS, report))).toEqual([503, 'network-unavailable']);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    expect((await app.post(PAYMENTS, report)).status).toBe(201);
  });

  it('merge with another report of the same transaction, in any order', async () => {
    const one = accepted();
    expect((await app.post(PAYMENTS, one.report)).status).toBe(201);
    expect(
      codeOf(
        await app.post(
          PAYMENTS,
          proveReport({ ...one.report, id: randomUUID() }, wallet.publicKey, one.key),
          bearer(owner),
        ),
      ),
    ).toEqual([409, 'payment-conflict']);
    const other = accepted();
    expect(
      (await app.post(PAYMENTS, proveReport(other.report, wallet.publicKey, other.key), bearer(owner))).status,
    ).toBe(201);
    expect(codeOf(await app.post(PAYMENTS, other.report))).toEqual([409, 'payment-conflict']);
    // Rejected before the network is queried and signatures are verified, which is slow with many inputs.
    arc.statuses.delete(one.txid);
    const again = { ...one.report, id: randomUUID(), inputs: ['1', '2'] };
    expect(codeOf(await app.post(PAYMENTS, proveAnonymously(again, app.baseUrl, one.key)))).toEqual([
      409,
      'payment-conflict',
    ]);
    const third = accepted();
    const parallel = await Promise.all(Array.from({ length: 6 }, () => app.post(PAYMENTS, third.report)));
    expect(parallel.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
  });

  it('the limits apply per address, and per transaction before the network is queried', async () => {
    const limited = await startTestApp(database, {
      arcUrl: arc.url,
      rateLimits: '1',
      trustedProxies: '127.0.0.1',
      baseUrl: app.baseUrl,
    });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const { report, txid } = accepted();
    arc.statuses.delete(txid);
    const asked = arc.requests;
    const answers: unknown[] = [];
    for (let n = 1; n <= 25; n += 1) answers.push(codeOf(await limited.post(PAYMENTS, report, from(`203.0.113.${n}`))));
    expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => [422, 'not-accepted']));
    expect(answers.slice(20)).toEqual(Array.from({ length: 5 }, () => [429, 'too-many-requests']));
    expect(arc.requests - asked).toBe(22);
    const statuses: number[] = [];
    for (let n = 0; n < 121; n += 1) statuses.push((await limited.post(PAYMENTS, {}, from('198.51.100.1'))).status);
    expect([statuses.slice(0, 120).every((status) => status === 400), statuses.at(-1)]).toEqual([true, 429]);
    await limited.close();
  });
});
