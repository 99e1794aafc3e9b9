import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseScript } from '../../protocol/bitcoin/asm.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import type { Session } from '../../protocol/http/api.ts';
import { accessTokens } from '../database/schema.ts';
import { createTestReport, proveReport } from '../payment-reports/testing-report.ts';
import { bearer, createTestWallet, register, registerApplication, type TestApplication } from '../testing.ts';
import { useReceived } from '../received/testing-received.ts';
import { verifyPayment, VerificationError, type Credential, type Expectation } from './index.ts';
import { useService } from '../testing-service.ts';

describe('verifyPayment against the service', () => {
  const { app, arc, database } = useService();
  let payer: Session;
  let shop: TestApplication;
  let other: TestApplication;
  const wallet = createTestWallet();

  beforeAll(async () => {
    payer = await register(app, wallet, 'payer');
    const keeper = await register(app, createTestWallet(), 'keeper');
    [shop, other] = [await registerApplication(app, keeper), await registerApplication(app, keeper)];
  });
  beforeEach(async () => {
    await database.db.delete(accessTokens).where(eq(accessTokens.kind, 'application'));
  });

  const pay = async (clientIdentifier: string | null = shop.clientIdentifier) => {
    const made = createTestReport([200_000n], wallet.publicKey);
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    const report = proveReport({ ...made.report, clientIdentifier }, wallet.publicKey, made.key);
    expect((await app.post('/api/v2/payments', report, bearer(payer))).status).toBe(201);
    return { id: report.id, to: report.outputs[0]?.to ?? '' };
  };
  const verify = (
    paymentId: string,
    expected: Expectation,
    { clientIdentifier, clientSecret }: { clientIdentifier: string; clientSecret: string } = shop,
    apiUrl = app.url,
  ) =>
    verifyPayment({ apiUrl, clientIdentifier, clientSecret, paymentId, expect: expected }).then(
      (payment) => payment.id,
      (error: unknown) => (error instanceof VerificationError ? error.code : error),
    );

  it('returns the expected payment, with the application’s credential or the payer’s token', async () => {
    const { id, to } = await pay();
    const wanted = { to, amount: '0.10', currency: 'USD', buttonId: 'invoice-1' };
    expect(await verify(id, wanted)).toBe(id);
    expect(await verify(id.toUpperCase(), wanted, shop, `${app.url}/`)).toBe(id);
    expect(
      await verifyPayment({ apiUrl: app.url, accessToken: payer.accessToken, paymentId: id, expect: wanted }),
    ).toMatchObject({ id, txid: expect.any(String), status: 'RECEIVED' });
  });

  it('rejects any other payment', async () => {
    const { id, to } = await pay();
    expect(await verify(id, { to, amount: '0.11', currency: 'USD' })).toBe('mismatch');
    expect(await verify(id, { to, amount: '0.10', currency: 'USD', buttonId: 'invoice-2' })).toBe('mismatch');
    expect(await verify(id, { to, amount: '0.10', currency: 'USD', completed: true })).toBe('not-paid');
    expect(await verify(id, { to, amount: '0.10', currency: 'EUR' })).toBe('mismatch');
  });

  it('rejects a payment to a script whose text equals the expected user ID', async () => {
    const to = '1005';
    const made = createTestReport([200_000n], wallet.publicKey);
    const lockingScript = parseScript(to) as Uint8Array;
    const rawtx = serializeTransaction({ ...made.transaction, outputs: [{ satoshis: 200_000n, lockingScript }] });
    arc.statuses.set(txidOf(rawtx), 'SEEN_ON_NETWORK');
    const scripts = [{ script: toHex(lockingScript), satoshis: '200000' }];
    const outputs = made.report.outputs.map((output) => ({
      ...output,
      ...{ type: 'SCRIPT' as const, to, script: to, address: null, scripts },
    }));
    const { clientIdentifier } = shop;
    const report = proveReport(
      { ...made.report, rawtx: toHex(rawtx), clientIdentifier, outputs },
      wallet.publicKey,
      made.key,
    );
    expect((await app.post('/api/v2/payments', report, bearer(payer))).status).toBe(201);
    expect(await verify(report.id, { to, amount: '0.10', currency: 'USD' })).toBe('mismatch');
  });

  it('finds neither another application’s payments nor nonexistent ones', async () => {
    const [mine, elsewhere, nobodys] = [await pay(), await pay(other.clientIdentifier), await pay(null)];
    const wanted = (to: string) => ({ to, amount: '0.10', currency: 'USD' });
    expect(await verify(elsewhere.id, wanted(elsewhere.to))).toBe('not-found');
    expect(await verify(elsewhere.id, wanted(elsewhere.to), other)).toBe(elsewhere.id);
    expect(await verify(nobodys.id, wanted(nobodys.to))).toBe('not-found');
    for (const id of [randomUUID(), '', '../../me', `${mine.id}/`, undefined, { toString: () => mine.id }])
      expect(await verify(id as string, wanted(mine.to)), String(id)).toBe('not-found');
  });

  it('reports a missing credential', async () => {
    const unset = (credential: Credential) =>
      verifyPayment({
        apiUrl: app.url,
        paymentId: randomUUID(),
        expect: { to: 'x', amount: '1', currency: 'USD' },
        ...credential,
      });
    await expect(unset({ clientIdentifier: undefined, clientSecret: 'x' })).rejects.toThrow(
      new TypeError('clientIdentifier is not set.'),
    );
    await expect(unset({ clientIdentifier: 'x', clientSecret: '' })).rejects.toThrow(
      new TypeError('clientSecret is not set.'),
    );
    await expect(unset({ accessToken: undefined })).rejects.toThrow(new TypeError('accessToken is not set.'));
    const nothing = { apiUrl: app.url, paymentId: randomUUID(), accessToken: 'x', expect: undefined as never };
    await expect(verifyPayment(nothing)).rejects.toThrow(TypeError);
  });

  it('uses one token for many payments, and a new one once it is revoked', async () => {
    const { id, to } = await pay();
    const wanted = { to, amount: '0.10', currency: 'USD' };
    const issued = () =>
      database.db
        .select()
        .from(accessTokens)
        .then((rows) => rows.filter(({ kind }) => kind === 'application').length);
    expect(await verify(id, wanted)).toBe(id);
    expect(await verify(id, wanted)).toBe(id);
    expect(await issued()).toBe(1);
    await database.db.delete(accessTokens).where(eq(accessTokens.kind, 'application'));
    expect(await verify(id, wanted)).toBe(id);
    expect(await issued()).toBe(1);
  });

  it('throws unavailable if the service can’t be reached, and checks its response', async () => {
    const { id, to } = await pay();
    const wanted = { to, amount: '0.10', currency: 'USD' };
    expect(await verify(id, wanted, { ...shop, clientSecret: 'wrong' })).toBe('unavailable');
    expect(await verify(id, wanted, shop, 'http://127.0.0.1:1')).toBe('unavailable');
    const { payment } = (await app.get(`/api/v2/payments/${id}`, bearer(payer))).body;
    const answers: [unknown, string][] = [
      [{ payment: null }, 'malformed'],
      [null, 'malformed'],
      [[], 'malformed'],
      [{ payment: { ...payment, txid: '00'.repeat(32) } }, 'mismatch'],
      [{ payment }, 'good'],
    ];
    let answer: unknown;
    const liar = createServer((_request, response) => response.end(JSON.stringify(answer))).listen(0, '127.0.0.1');
    await once(liar, 'listening');
    const apiUrl = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
    for (const [body, code] of answers) {
      answer = body;
      const told = await verifyPayment({ apiUrl, accessToken: 'x', paymentId: id, expect: wanted }).then(
        () => 'good',
        (error: unknown) => (error as VerificationError).code,
      );
      expect(told, JSON.stringify(body).slice(0, 80)).toBe(code);
    }
    liar.closeAllConnections();
    liar.close();
  });
});

describe('verifyPayment for a payment received by paymail', () => {
  const { app, people, newKeeper, newDelivery, own } = useReceived();

  it('accepts the ID that the payment had before its sender’s report, and returns the current one', async () => {
    const keeper = await newKeeper();
    const { reportWith, deliver } = await newDelivery(keeper);
    await deliver();
    const [{ id: earlier }] = await own(keeper.session);
    const report = reportWith({ clientIdentifier: keeper.shop.clientIdentifier });
    expect((await app.post('/api/v2/payments', report, bearer(people.payer))).status).toBe(201);
    const verified = await verifyPayment({
      apiUrl: app.url,
      accessToken: keeper.session.accessToken,
      paymentId: earlier,
      expect: { to: keeper.session.user.paymail, amount: '0.10', currency: 'USD' },
    });
    expect(earlier).not.toBe(report.id);
    expect(verified.id).toBe(report.id);
  });
});
