import { expect, test } from 'vitest';
import { writeInscription } from '../../../protocol/assets/bsv21/inscription.ts';
import { MAX_TOKEN_AMOUNT, writeTokenScript } from '../../../protocol/assets/bsv21/token.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { txidOf, type TransactionOutput } from '../../../protocol/bitcoin/transaction.ts';
import { bytesOf, testDirectory, type TestCoin, testKey } from '../test-ledger.ts';
import { type TestServer, testServer } from '../test-server.ts';
import type { TestKey } from '../test-key.ts';

const owner = testKey();
const other = testKey();
const one = (lockingScript: Uint8Array): TransactionOutput => ({ satoshis: 1n, lockingScript });
const holds = (id: string, amt: bigint, { script } = owner) =>
  one(writeTokenScript({ op: 'transfer', id, amt }, script));
const mints = (amt: bigint, dec = 0, { script } = owner) =>
  one(writeTokenScript({ op: 'deploy+mint', amt, dec, sym: 'GOLD' }, script));

async function fund(server: TestServer, to: TestKey = owner): Promise<TestCoin> {
  const { body } = await server.post('/faucet', { address: to.address, satoshis: 10_000 });
  return { txid: body.txid, vout: 0, satoshis: 10_000n, lockingScript: to.script };
}

async function make(server: TestServer, coins: TestCoin[], outputs: TransactionOutput[], by = owner) {
  const bytes = bytesOf({ coins: [...coins, await fund(server, by)], owner: by, outputs });
  const { status, body } = await server.post('/arc/v1/tx', { rawTx: toHex(bytes) });
  expect(body).toMatchObject({ status: 200 });
  expect(status).toBe(200);
  const txid = txidOf(bytes);
  return outputs.map((output, vout): TestCoin => ({ ...output, txid, vout }));
}

async function mint(server: TestServer, amt = 1000n, dec = 0): Promise<{ coin: TestCoin; id: string }> {
  const [coin] = (await make(server, [], [mints(amt, dec)])) as [TestCoin];
  return { coin, id: `${coin.txid}_0` };
}

const stateOf = async (server: TestServer, { txid, vout }: TestCoin) =>
  (await server.get(`/ordinals/api/bsv20/outpoint/${txid}_${vout}`)).body;
/** Returns the amounts of an address's token outputs, newest first; null for invalid outputs. */
const held = async (server: TestServer, { address } = owner, kind = 'true') =>
  (
    (await server.get(`/ordinals/api/txos/address/${address}/unspent?bsv20=${kind}`)).body as {
      data: { bsv20: { amt: string; status: number } };
    }[]
  ).map(({ data: { bsv20 } }) => (bsv20.status === 1 ? bsv20.amt : null));

test('tokens can be minted, split, merged and sent', async () => {
  const server = await testServer();
  const { coin, id } = await mint(server, 1000n, 2);
  expect((await server.get(`/ordinals/api/bsv20/id/${id}`)).body).toMatchObject({
    id,
    sym: 'GOLD',
    dec: 2,
    amt: '1000',
    status: 1,
    owner: owner.address,
    height: null,
  });
  const [a, b] = (await make(server, [coin], [holds(id, 300n), holds(id, 700n)])) as [TestCoin, TestCoin];
  expect(await held(server)).toEqual(['700', '300']);
  const [merged] = (await make(server, [a, b], [holds(id, 1000n)])) as [TestCoin];
  expect(await held(server)).toEqual(['1000']);
  await make(server, [merged], [holds(id, 1n, other), holds(id, 999n)]);
  await server.post('/mine', { blocks: 1 });
  expect([await held(server), await held(server, other)]).toEqual([['999'], ['1']]);
  expect(await stateOf(server, merged)).toMatchObject({ status: 1, height: 200 });
});

test('outputs that exceed the inputs are invalid, as are all descendants, and outputs below the inputs burn the rest', async () => {
  const server = await testServer();
  const { coin, id } = await mint(server);
  const [a, b] = (await make(server, [coin], [holds(id, 600n), holds(id, 401n)])) as [TestCoin, TestCoin];
  expect(await held(server)).toEqual([null, null]);
  expect(await stateOf(server, a)).toMatchObject({ status: -1, reason: 'insufficient inputs' });
  await make(server, [a, b], [holds(id, 1n)]);
  expect(await held(server)).toEqual([null]);
  const second = await mint(server);
  const [less] = (await make(server, [second.coin], [holds(second.id, 10n)])) as [TestCoin];
  expect(await stateOf(server, less)).toMatchObject({ status: 1 });
  const [more] = (await make(server, [less], [holds(second.id, 11n)])) as [TestCoin];
  expect(await stateOf(server, more)).toMatchObject({ status: -1 });
});

test('a transfer whose inputs don’t contain its token is invalid', async () => {
  const server = await testServer();
  const { id } = await mint(server);
  const fake = await mint(server);
  const [a] = (await make(server, [], [holds(id, 5n)])) as [TestCoin];
  const [b] = (await make(server, [fake.coin], [holds(id, 5n)])) as [TestCoin];
  expect((await stateOf(server, a)).status).toBe(-1);
  expect((await stateOf(server, b)).status).toBe(-1);
});

test('amounts up to 2^64 - 1 are valid, and their sum does not overflow', async () => {
  const server = await testServer();
  const { coin, id } = await mint(server, MAX_TOKEN_AMOUNT);
  const [whole] = (await make(server, [coin], [holds(id, MAX_TOKEN_AMOUNT)])) as [TestCoin];
  expect((await stateOf(server, whole)).amt).toBe(String(MAX_TOKEN_AMOUNT));
  await make(server, [whole], [holds(id, MAX_TOKEN_AMOUNT), holds(id, 2n)]);
  expect(await held(server)).toEqual([null, null]);
});

test('decimals from 0 to 18 are valid', async () => {
  const server = await testServer();
  const coins = await make(
    server,
    [],
    Array.from({ length: 19 }, (_, dec) => mints(1n, dec)),
  );
  for (const [dec, coin] of coins.entries())
    expect(await stateOf(server, coin)).toMatchObject({ dec, status: 1, id: `${coin.txid}_${dec}` });
});

test('an ordinal keeps its origin when its satoshi moves', async () => {
  const server = await testServer();
  const picture = one(writeInscription('image/png', new Uint8Array([1, 2, 3]), owner.script));
  const [first] = (await make(server, [], [picture])) as [TestCoin];
  const list = async (address: string) =>
    (await server.get(`/ordinals/api/txos/address/${address}/unspent?bsv20=false`)).body;
  expect(await list(owner.address)).toMatchObject([
    { txid: first.txid, origin: { outpoint: `${first.txid}_0` }, data: { insc: { file: { type: 'image/png' } } } },
  ]);
  const [sent] = (await make(server, [first], [one(other.script), one(owner.script)])) as [TestCoin];
  expect(await list(other.address)).toMatchObject([
    { txid: sent.txid, vout: 0, origin: { outpoint: `${first.txid}_0` }, data: {} },
  ]);
  expect(await list(owner.address)).toMatchObject([{ origin: { outpoint: `${sent.txid}_1` } }]);
});

test('tokens survive a restart', async () => {
  const directory = await testDirectory();
  const server = await testServer(directory);
  const { coin, id } = await mint(server);
  await make(server, [coin], [holds(id, 400n), holds(id, 600n)]);
  await server.devnet.close();
  expect(await held(await testServer(directory))).toEqual(['600', '400']);
});

test('lists are paginated, and unknown outputs get a 404', async () => {
  const server = await testServer();
  await make(server, [], [mints(1n), mints(2n), mints(3n)]);
  const page = async (query: string) =>
    (await server.get(`/ordinals/api/txos/address/${owner.address}/unspent?bsv20=true&${query}`)).body;
  expect((await page('limit=2')).map(({ vout }: { vout: number }) => vout)).toEqual([2, 1]);
  expect((await page('limit=2&offset=2')).map(({ vout }: { vout: number }) => vout)).toEqual([0]);
  for (const wrong of ['limit=0', 'limit=1001', 'offset=-1'])
    expect(await page(wrong)).toEqual({ message: 'Bad Request' });
  const statuses = await Promise.all(
    ['/api/bsv20/id/x', `/api/bsv20/id/${'00'.repeat(32)}_0`, `/api/bsv20/outpoint/${'00'.repeat(32)}_0`, '/api/x'].map(
      async (path) => (await server.get(`/ordinals${path}`)).status,
    ),
  );
  expect(statuses).toEqual([404, 404, 404, 404]);
  expect((await server.get('/ordinals/api/txos/address/x/unspent')).status).toBe(400);
  expect(server.errors).toEqual([]);
});
