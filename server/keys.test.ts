import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createArcClient } from './chain/arc-client.ts';
import { createTransactionSource } from './chain/transaction-source.ts';
import { describeError } from './http/errors.ts';
import { createTestReport } from './payment-reports/testing-report.ts';
import { createTestWallet, register, TEST_METRICS_TOKEN } from './testing.ts';
import { useService } from './testing-service.ts';

const KEYS = { ARC_KEY: 'key-of-the-operator', WOC_KEY: 'key-of-the-index', RATES_KEY: 'key-of-the-rates' };

const POLICY = {
  policy: {
    maxscriptsizepolicy: 500_000,
    maxtxsizepolicy: 10_000_000,
    maxtxsigopscountspolicy: 1_000_000,
    miningFee: { satoshis: 50, bytes: 1000 },
  },
};

/** Requests received by `upstream`, which accepts only requests for ARC's policy. Its responses contain the key. */
const received: string[] = [];
const upstream = createServer((request, response) => {
  const { authorization = '', 'x-cg-demo-api-key': rates = '' } = request.headers;
  received.push(`${request.url?.split('/')[1]} ${authorization}${String(rates)}`);
  if (request.url === '/arc/v1/policy') return void response.end(JSON.stringify(POLICY));
  response.writeHead(request.url === '/arc/policy' ? 404 : 401, { 'Content-Type': 'application/json' });
  const text = `invalid key: ${authorization}${String(rates)}`;
  response.end(JSON.stringify({ status: 401, title: text, detail: text, error: text }));
});
let base = '';
beforeAll(async () => {
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
});

const { app } = useService(() => ({
  network: 'testnet',
  arcUrl: `${base}/arc`,
  wocUrl: `${base}/woc`,
  ratesUrl: `${base}/rates`,
  rateLimits: 'off',
  env: KEYS,
}));

it('the service shows ARC_KEY, WOC_KEY and RATES_KEY in no log, metric or error', async () => {
  const wallet = createTestWallet();
  const { user } = await register(app, wallet, 'keeper');
  const shown: unknown[] = [];
  const { report, txid } = createTestReport([200_000n], wallet.publicKey);
  shown.push(await app.post('/api/v2/payments', report));
  for (const path of ['/api/v2/network', '/api/v2/rates', '/api/v2/currencies']) shown.push(await app.get(path));
  // Reissued addresses make the service query the index.
  for (let i = 0; i < 21; i += 1)
    shown.push(await app.post(`/bsvalias/p2p-payment-destination/${user.paymail}`, { satoshis: 1_000 }));
  await createArcClient(`${base}/arc`, { key: KEYS.ARC_KEY })
    .broadcast(report.rawtx, txid)
    .catch((error: unknown) => shown.push(describeError(error)));
  await createTransactionSource(`${base}/woc`, KEYS.WOC_KEY)
    .transaction('ab'.repeat(32))
    .catch((error: unknown) => shown.push(describeError(error)));
  const metrics = await app.get('/metrics', { Authorization: `Bearer ${TEST_METRICS_TOKEN}` });
  expect(metrics.status).toBe(200);
  expect(new Set(received)).toEqual(
    new Set([`arc Bearer ${KEYS.ARC_KEY}`, `woc ${KEYS.WOC_KEY}`, `rates ${KEYS.RATES_KEY}`]),
  );
  const all = [JSON.stringify(shown), JSON.stringify(metrics.body), app.log()].join('\n');
  expect(Object.values(KEYS).filter((key) => all.includes(key))).toEqual([]);
});
