import { expect, test } from 'vitest';
import { parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import { testKey } from './test-ledger.ts';
import { testServer, WOC } from './test-server.ts';

const owner = testKey();

test('fifty concurrent faucet requests are all paid, each from its own coin', async () => {
  const server = await testServer();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => server.post('/faucet', { address: owner.address, satoshis: 1000 + i })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
  expect(new Set(answers.map(({ body }) => body.txid)).size).toBe(50);
  const spent = await Promise.all(
    answers.map(async ({ body }) => {
      const [input] = parseTransactionHex((await server.get(`${WOC}/tx/${body.txid}/hex`)).body).inputs;
      return `${input?.txid}:${input?.vout}`;
    }),
  );
  expect(new Set(spent).size).toBe(50);
  expect((await server.post('/mine', { blocks: 1 })).status).toBe(200);
  const { body } = await server.get(`${WOC}/address/${owner.address}/unspent/all`);
  expect(body.result.map(({ value }: { value: number }) => value).sort()).toEqual(
    Array.from({ length: 50 }, (_, i) => 1000 + i),
  );
});

test('hundreds of maximum payments never exhaust the faucet, because change is reused', async () => {
  const server = await testServer();
  // The first 100 payments spend mature coinbases, and the remaining payments spend change outputs.
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => server.post('/faucet', { address: owner.address, satoshis: 100_000_000 })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  }
});
