import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import type { Session } from '../../../protocol/http/api.ts';
import { followDue } from '../../settlement/follow.ts';
import { createTestReport } from '../../payment-reports/testing-report.ts';
import { bearer, createTestWallet, register } from '../../testing.ts';
import { createArcClient } from '../../chain/arc-client.ts';
import { arcCallbackToken, arcCallbackUrl } from './arc-callback.ts';
import { useService } from '../../testing-service.ts';

const PATH = '/api/v2/network/callbacks/arc';

describe('the callback URL', () => {
  it.each([
    ['https://pay.example', 'mainnet', `https://pay.example${PATH}`],
    ['https://pay.example', 'testnet', `https://pay.example${PATH}`],
    ['http://localhost:3000', 'devnet', `http://localhost:3000${PATH}`],
    ['http://localhost:3000', 'testnet', null],
    ['http://127.0.0.1:3000', 'testnet', null],
    ['http://[::1]:3000', 'mainnet', null],
  ] as const)('%s on %s gives %s', (baseUrl, network, url) => {
    expect(arcCallbackUrl(baseUrl, network)).toBe(url);
  });
});

describe('ARC callbacks', () => {
  const { app, arc, database } = useService();
  let payer: Session;
  let token: string;
  const wallet = createTestWallet();
  const now = () => new Date(app.clock.ms);

  beforeAll(async () => {
    payer = await register(app, wallet, 'payer');
    token = await arcCallbackToken(database.db, now());
  });
  beforeEach(() => {
    arc.callbacks = [];
    arc.refusesTransactions = false;
  });

  const follow = (url: string | null = `${app.url}${PATH}`) =>
    followDue({
      db: database.db,
      arc: createArcClient(arc.url),
      now,
      log: pino({ level: 'silent' }),
      maxDelayMs: 60_000,
      callback: url === null ? null : { url, token },
    });
  const pay = async () => {
    const { report, txid } = createTestReport([200_000n], wallet.publicKey);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    expect((await app.post('/api/v2/payments', report, bearer(payer))).status).toBe(201);
    return { id: report.id, txid, rawtx: report.rawtx };
  };
  const statusOf = async (id: string) => (await app.get(`/api/v2/payments/${id}`, bearer(payer))).body.payment.status;
  const call = (body: unknown, headers: Record<string, string> = { Authorization: `Bearer ${token}` }) =>
    app.post(PATH, body, headers);

  it('the service requests one callback with its own token, and completes the payment when the callback arrives', async () => {
    const { id, txid, rawtx } = await pay();
    expect(await follow()).toBe(1);
    expect(arc.callbacks).toEqual([{ rawTx: rawtx, url: `${app.url}${PATH}`, token }]);
    arc.statuses.set(txid, 'MINED');
    expect(await follow()).toBe(0);
    expect(
      (
        await call({
          txid,
          txStatus: 'MINED',
          blockHash: '00',
          blockHeight: 1,
          merklePath: 'fe',
          timestamp: '2025-01-01T00:00:00Z',
        })
      ).status,
    ).toBe(204);
    expect(await follow()).toBe(1);
    expect([await statusOf(id), arc.callbacks.length]).toEqual(['COMPLETED', 1]);
  });

  it('all instances share one secret', async () => {
    expect(await Promise.all([1, 2, 3].map(() => arcCallbackToken(database.db, now())))).toEqual([token, token, token]);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(app.log()).not.toContain(token);
  });

  it('require the token, and even then only trigger a query', async () => {
    const { id, txid } = await pay();
    expect(await follow()).toBe(1);
    const mined = { txid, txStatus: 'MINED' };
    for (const headers of [
      {},
      { Authorization: 'Bearer ' },
      { Authorization: `Bearer ${token}x` },
      { Authorization: `Basic ${token}` },
      { Authorization: token },
      bearer(payer),
    ]) {
      expect((await call(mined, headers as Record<string, string>)).status).toBe(401);
    }
    expect((await app.post(`${PATH}?token=${token}`, { ...mined, token })).status).toBe(401);
    expect(await follow()).toBe(0);
    expect((await call(mined)).status).toBe(204);
    expect((await call({ txid, txStatus: 'REJECTED' })).status).toBe(204);
    expect(await follow()).toBe(1);
    expect(await statusOf(id)).toBe('RECEIVED');
    for (const body of [{}, { txid: 'x' }, { txid: [txid] }, [], 'nonsense', { txid: `${txid}'` }])
      expect((await call(body)).status, JSON.stringify(body)).toBe(400);
    expect((await call({ txid: '00'.repeat(32), txStatus: 'MINED' })).status).toBe(204);
    expect(await follow()).toBe(0);
  });

  it('don’t reopen a completed payment', async () => {
    const { id, txid } = await pay();
    arc.statuses.set(txid, 'MINED');
    expect(await follow()).toBe(1);
    arc.statuses.set(txid, 'REJECTED');
    expect((await call({ txid, txStatus: 'REJECTED' })).status).toBe(204);
    app.clock.ms += 600_000;
    while ((await follow()) > 0);
    expect(await statusOf(id)).toBe('COMPLETED');
  });

  it('polling continues if ARC accepts no callback URL, can’t reach us or sends no callback', async () => {
    arc.refusesTransactions = true;
    const refused = await pay();
    expect(await follow()).toBe(1);
    expect(await statusOf(refused.id)).toBe('RECEIVED');
    arc.refusesTransactions = false;
    app.clock.ms += 1_000;
    expect(await follow()).toBe(1);
    expect(arc.callbacks).toHaveLength(1);
    app.clock.ms += 2_000;
    arc.statuses.set(refused.txid, 'MINED');
    expect(await follow()).toBe(1);
    expect([await statusOf(refused.id), arc.callbacks.length]).toEqual(['COMPLETED', 1]);

    const alone = await pay();
    arc.statuses.set(alone.txid, 'MINED');
    expect(await follow(null)).toBe(1);
    expect([await statusOf(alone.id), arc.callbacks.length]).toEqual(['COMPLETED', 1]);
  });
});
