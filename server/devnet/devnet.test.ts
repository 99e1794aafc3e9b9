import { expect, onTestFinished, test, vi } from 'vitest';
import { testDirectory, testKey } from './test-ledger.ts';
import { testServer, WOC } from './test-server.ts';

const owner = testKey();

test('the faucet pays an address, and its block confirms the payment', async () => {
  const server = await testServer();
  const { status, body } = await server.post('/faucet', { address: owner.address, satoshis: 12_345 });
  expect(status).toBe(200);
  expect(body).toEqual({ txid: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const mined = await server.post('/mine', { blocks: 3 });
  expect(mined.body).toEqual({ height: 202, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const coins = await server.get(`${WOC}/address/${owner.address}/unspent/all`);
  expect(coins.body.result).toEqual([
    { height: 200, tx_pos: 0, tx_hash: body.txid, value: 12_345, isSpentInMempoolTx: false, status: 'confirmed' },
  ]);
});

test('the faucet rejects invalid test addresses and amounts', async () => {
  const server = await testServer();
  const refused = async (body: unknown): Promise<unknown> => {
    const answer = await server.post('/faucet', body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error)).toEqual(['code', 'message']);
    return answer.body.error.code;
  };
  expect(await refused({ address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', satoshis: 1 })).toBe('invalid-recipient');
  expect(await refused({ address: `${owner.address}x`, satoshis: 1 })).toBe('invalid-recipient');
  for (const satoshis of [0, -1, 1.5, 100_000_001, 1e300])
    expect(await refused({ address: owner.address, satoshis })).toBe('invalid-amount');
  for (const body of [{ address: owner.address, satoshis: '5' }, { address: 7, satoshis: 5 }, {}, [], '{'])
    expect(await refused(body)).toBe('invalid-request');
  expect(await refused({ address: owner.address })).toBe('invalid-request');
  expect((await server.post('/faucet', { address: 'x'.repeat(20_000), satoshis: 1 })).status).toBe(413);
  for (const satoshis of [1, 100_000_000])
    expect((await server.post('/faucet', { address: owner.address, satoshis })).status).toBe(200);
  expect(server.errors).toEqual([]);
});

test('POST /mine accepts 1 to 1000', async () => {
  const server = await testServer();
  for (const blocks of [0, -1, 1001, 1.5, '3', null, undefined]) {
    const { status, body } = await server.post('/mine', { blocks });
    expect([status, body.error.code]).toEqual([400, 'invalid-request']);
  }
  expect((await server.post('/mine', { blocks: 1000 })).body.height).toBe(1199);
});

test('pages of any origin can send requests, and each API returns errors in its own format', async () => {
  const server = await testServer();
  const preflight = await fetch(`${server.url}/arc/v1/tx`, { method: 'OPTIONS' });
  expect(preflight.status).toBe(204);
  for (const path of ['/arc/v1/policy', `${WOC}/chain/info`, '/nowhere'])
    expect((await server.get(path)).headers.get('access-control-allow-origin')).toBe('*');
  expect((await server.get('/nowhere')).body.error.code).toBe('not-found');
  expect((await server.get('/arc/v1/nowhere')).body).toMatchObject({ status: 404, title: 'Not found' });
  expect(await server.get(`${WOC}/nowhere`)).toMatchObject({ status: 404, body: 'Not Found' });
});

test('mining at intervals includes waiting transactions in the next block, and extends an idle chain every tenth time', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const server = await testServer(await testDirectory(), 5000);
  const height = async (): Promise<number> => (await server.get(`${WOC}/chain/info`)).body.blocks;
  vi.advanceTimersByTime(9 * 5000);
  expect(await height()).toBe(199);
  vi.advanceTimersByTime(5000);
  // The node's queue executes this payment after the block, so waiting for the payment also waits for the block.
  await server.post('/faucet', { address: owner.address, satoshis: 1 });
  expect(await height()).toBe(200);
  vi.advanceTimersByTime(5000);
  await server.post('/faucet', { address: owner.address, satoshis: 1 });
  expect(await height()).toBe(201);
  await server.devnet.close();
  vi.advanceTimersByTime(100 * 5000);
  expect(await height()).toBe(201);
  expect(server.errors).toEqual([]);
});

test('a closed devnet rejects requests, and has its whole state when it is reopened', async () => {
  const directory = await testDirectory();
  const first = await testServer(directory);
  const {
    body: { txid },
  } = await first.post('/faucet', { address: owner.address, satoshis: 5 });
  await first.devnet.close();
  await first.devnet.close();
  const late = await first.post('/faucet', { address: owner.address, satoshis: 5 });
  expect([late.status, late.body.error.code]).toEqual([503, 'service-unavailable']);
  expect((await first.post('/arc/v1/tx', { rawTx: '00' })).status).toBe(503);
  const second = await testServer(directory);
  expect((await second.get(`/arc/v1/tx/${txid}`)).body.txStatus).toBe('SEEN_ON_NETWORK');
});
