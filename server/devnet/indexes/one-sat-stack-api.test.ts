import { expect, test } from 'vitest';
import { writeTokenScript } from '../../../protocol/assets/bsv21/token.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { txidOf, type TransactionOutput } from '../../../protocol/bitcoin/transaction.ts';
import { bytesOf, type TestCoin, testKey } from '../test-ledger.ts';
import { type TestServer, testServer } from '../test-server.ts';

const owner = testKey();
const one = (lockingScript: Uint8Array): TransactionOutput => ({ satoshis: 1n, lockingScript });
const mints = (amt: bigint) => one(writeTokenScript({ op: 'deploy+mint', amt, dec: 2, sym: 'GOLD' }, owner.script));
const holds = (id: string, amt: bigint) => one(writeTokenScript({ op: 'transfer', id, amt }, owner.script));

async function make(server: TestServer, coins: TestCoin[], outputs: TransactionOutput[]): Promise<string> {
  const { txid } = (await server.post('/faucet', { address: owner.address, satoshis: 10_000 })).body;
  const money = { txid, vout: 0, satoshis: 10_000n, lockingScript: owner.script };
  const bytes = bytesOf({ coins: [...coins, money], owner, outputs });
  expect((await server.post('/arc/v1/tx', { rawTx: toHex(bytes) })).status).toBe(200);
  return txidOf(bytes);
}

const list = async (server: TestServer, query = '') =>
  (await server.get(`/1sat/owner/${owner.address}/txos?unspent=true&sats=true&block=true&tags=origin${query}`)).body;

test('lists the unspent outputs of one satoshi, with their origin and block', async () => {
  const server = await testServer();
  const minted = await make(server, [], [mints(1000n), one(owner.script)]);
  const first = { outpoint: `${minted}.0`, score: 1, satoshis: 1, data: { origin: { outpoint: `${minted}_0` } } };
  expect((await list(server))[0]).toEqual(first);
  await server.post('/mine', { blocks: 1 });
  expect(await list(server)).toMatchObject([
    { ...first, blockHeight: 200 },
    { outpoint: `${minted}.1`, score: 2 },
  ]);
  expect(server.errors).toEqual([]);
});

test('a page begins with the last output of the previous page', async () => {
  const server = await testServer();
  const txid = await make(server, [], [mints(1n), mints(2n), mints(3n)]);
  const page = async (query: string) =>
    (await list(server, query)).map(({ outpoint, score }: { outpoint: string; score: number }) => [outpoint, score]);
  expect(await page('&limit=2')).toEqual([
    [`${txid}.0`, 1],
    [`${txid}.1`, 2],
  ]);
  expect(await page('&limit=2&from=2')).toEqual([
    [`${txid}.1`, 2],
    [`${txid}.2`, 3],
  ]);
  for (const wrong of ['&limit=0', '&limit=1001', '&from=-1'])
    expect(await list(server, wrong)).toEqual({ message: 'Bad Request' });
});

test('finds a token by its ID, and only its valid outputs', async () => {
  const server = await testServer();
  const minted = await make(server, [], [mints(1000n)]);
  const id = `${minted}_0`;
  expect((await server.get(`/1sat/bsv21/${id}`)).body).toEqual({
    token: { id, amt: '1000', dec: 2, sym: 'GOLD', owner: owner.address },
  });
  const coin = { ...mints(1000n), txid: minted, vout: 0 };
  const valid = await make(server, [coin], [holds(id, 1000n)]);
  const forged = await make(server, [], [holds(id, 1000n)]);
  const at = async (outpoint: string, of = id) => (await server.get(`/1sat/bsv21/${of}/outputs/${outpoint}`)).status;
  expect([await at(`${valid}_0`), await at(`${valid}.0`)]).toEqual([200, 200]);
  expect([await at(`${forged}_0`), await at(`${valid}_0`, `${valid}_0`), await at('x')]).toEqual([404, 404, 404]);
  expect((await server.get('/1sat/owner/x/txos')).status).toBe(400);
  expect((await server.get('/1sat/api/txos')).status).toBe(404);
});
