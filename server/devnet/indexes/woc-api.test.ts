import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { txidOf } from '../../../protocol/bitcoin/transaction.ts';
import { bytesOf, sendAll, type TestCoin, testKey } from '../test-ledger.ts';
import { type TestServer, testServer, WOC } from '../test-server.ts';

const owner = testKey();
const other = testKey();

async function fund(server: TestServer, satoshis = 10_000): Promise<TestCoin> {
  const { body } = await server.post('/faucet', { address: owner.address, satoshis });
  return { txid: body.txid, vout: 0, satoshis: BigInt(satoshis), lockingScript: owner.script };
}

function sha256d(hex: string): string {
  const once = createHash('sha256').update(Buffer.from(hex, 'hex')).digest();
  return createHash('sha256').update(once).digest('hex');
}

function reversed(hex: string): string {
  return Buffer.from(hex, 'hex').reverse().toString('hex');
}

test('lists an address’s coins, unconfirmed and confirmed, until they are spent in a block', async () => {
  const server = await testServer();
  const list = async (address: string): Promise<unknown> =>
    (await server.get(`${WOC}/address/${address}/unspent/all`)).body;
  expect(await list(owner.address)).toEqual({
    address: owner.address,
    script: expect.stringMatching(/^[0-9a-f]{64}$/),
    result: [],
    error: '',
  });
  const coin = await fund(server);
  const view = { tx_pos: 0, tx_hash: coin.txid, value: 10_000, isSpentInMempoolTx: false, status: 'unconfirmed' };
  expect(await list(owner.address)).toMatchObject({ result: [{ ...view, hex: toHex(owner.script) }] });
  expect(((await list(owner.address)) as { result: object[] }).result[0]).not.toHaveProperty('height');
  await server.post('/mine', { blocks: 1 });
  expect(await list(owner.address)).toMatchObject({ result: [{ ...view, height: 200, status: 'confirmed' }] });
  const raw = toHex(bytesOf(sendAll([coin], owner, other.script)));
  const sent = await server.post(`${WOC}/tx/raw`, { txhex: raw });
  expect(sent.status).toBe(200);
  expect(sent.body).toBe(reversed(sha256d(raw)));
  expect(await list(owner.address)).toMatchObject({
    result: [{ ...view, height: 200, status: 'confirmed', isSpentInMempoolTx: true }],
  });
  expect(await list(other.address)).toMatchObject({ result: [{ tx_hash: sent.body, status: 'unconfirmed' }] });
  await server.post('/mine', { blocks: 1 });
  expect(await list(owner.address)).toMatchObject({ result: [] });
});

test('drops an unconfirmed coin once it is spent, and lists confirmed ones first, by height', async () => {
  const server = await testServer();
  const first = await fund(server, 1000);
  await server.post('/mine', { blocks: 1 });
  await fund(server, 2000);
  await server.post('/mine', { blocks: 1 });
  const third = await fund(server, 3000);
  const values = async (): Promise<number[]> =>
    (await server.get(`${WOC}/address/${owner.address}/unspent/all`)).body.result.map(
      ({ value }: { value: number }) => value,
    );
  expect(await values()).toEqual([1000, 2000, 3000]);
  await server.post('/arc/v1/tx', { rawTx: toHex(bytesOf(sendAll([third], owner, other.script))) });
  expect(await values()).toEqual([1000, 2000]);
  expect((await server.get(`${WOC}/tx/${first.txid}/hex`)).status).toBe(200);
});

test('lists the history of an address (payments and their spends, confirmed and not) in pages', async () => {
  const server = await testServer();
  const history = async (kind: string, address: string, query = '') =>
    (await server.get(`${WOC}/address/${address}/${kind}/history${query}`)).body;
  const [first, second] = [await fund(server, 1000), await fund(server, 2000)];
  expect((await history('confirmed', owner.address)).result).toEqual([]);
  await server.post('/mine', { blocks: 1 });
  const spender = bytesOf(sendAll([first], owner, other.script));
  await server.post('/arc/v1/tx', { rawTx: toHex(spender) });
  const spending = { tx_hash: txidOf(spender) };
  expect((await history('unconfirmed', owner.address)).result).toEqual([spending]);
  expect((await history('unconfirmed', other.address)).result).toEqual([spending]);
  await server.post('/mine', { blocks: 1 });
  const [mined, paid] = [
    [second, first].map(({ txid }) => ({ tx_hash: txid, height: 200 })),
    { ...spending, height: 201 },
  ];
  expect((await history('confirmed', owner.address)).result).toEqual([paid, ...mined]);
  const page = await history('confirmed', owner.address, '?limit=2');
  expect(page.result).toEqual([paid, mined[0]]);
  const rest = await history('confirmed', owner.address, `?limit=2&token=${page.nextPageToken}`);
  expect([rest.result, rest.nextPageToken]).toEqual([[mined[1]], undefined]);
  expect((await server.get(`${WOC}/address/${owner.address}/confirmed/history?limit=0`)).status).toBe(400);
  const many = await server.post(`${WOC}/addresses/history/all`, { addresses: [other.address, owner.address] });
  expect(many.body).toMatchObject([
    { address: other.address, unconfirmed: { result: [] }, confirmed: { result: [paid] } },
    { address: owner.address, unconfirmed: { result: [] }, confirmed: { result: [paid, ...mined] } },
  ]);
});

test('lists up to twenty addresses, in order', async () => {
  const server = await testServer();
  await fund(server);
  const { body } = await server.post(`${WOC}/addresses/unspent/all`, { addresses: [other.address, owner.address] });
  expect(body.map(({ address }: { address: string }) => address)).toEqual([other.address, owner.address]);
  expect(body[0].result).toEqual([]);
  expect(body[1].result).toHaveLength(1);
  expect(body[1].unspent).toEqual(body[1].result);
  const many = Array.from({ length: 21 }, () => owner.address);
  for (const addresses of [
    many,
    [],
    undefined,
    'x',
    [owner.address, 'nonsense'],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    [5],
  ]) {
    expect((await server.post(`${WOC}/addresses/unspent/all`, { addresses })).status).toBe(400);
  }
  expect((await server.post(`${WOC}/addresses/unspent/all`, { addresses: many.slice(1) })).status).toBe(200);
  expect((await server.post(`${WOC}/addresses/unspent/all`, '{')).status).toBe(400);
});

test('lists confirmed and unconfirmed coins of several addresses separately, in the documented format', async () => {
  const server = await testServer();
  const confirmed = await fund(server, 1000);
  await server.post('/mine', { blocks: 1 });
  const unconfirmed = await fund(server, 2000);
  const lists = async (kind: string) =>
    (await server.post(`${WOC}/addresses/${kind}/unspent`, { addresses: [other.address, owner.address] })).body;
  expect(await lists('confirmed')).toEqual([
    { address: other.address, script: expect.any(String), result: [], error: '' },
    {
      address: owner.address,
      script: expect.any(String),
      result: [{ height: 200, tx_pos: 0, tx_hash: confirmed.txid, value: 1000, isSpentInMempoolTx: false }],
      error: '',
    },
  ]);
  expect((await lists('unconfirmed'))[1].result).toEqual([
    { tx_pos: 0, tx_hash: unconfirmed.txid, value: 2000, isSpentInMempoolTx: false, hex: toHex(owner.script) },
  ]);
  for (const kind of ['confirmed', 'unconfirmed']) {
    expect(
      (
        await server.post(`${WOC}/addresses/${kind}/unspent`, {
          addresses: Array.from({ length: 21 }, () => owner.address),
        })
      ).status,
    ).toBe(400);
  }
});

test('lists only twenty confirmed coins per address for several addresses, and all in pages for one address', async () => {
  const server = await testServer();
  for (let i = 0; i < 23; i += 1) await fund(server, 1000 + i);
  await server.post('/mine', { blocks: 1 });
  const [one] = (await server.post(`${WOC}/addresses/confirmed/unspent`, { addresses: [owner.address] })).body;
  expect([one.result.length, typeof one.nextPageToken]).toEqual([20, 'string']);
  const alone = `${WOC}/address/${owner.address}/confirmed/unspent`;
  expect((await server.get(alone)).body.result).toHaveLength(23);
  const { body: first } = await server.get(`${alone}?limit=15`);
  const { body: second } = await server.get(`${alone}?limit=15&token=${first.nextPageToken}`);
  expect([first.result.length, second.result.length, second.nextPageToken]).toEqual([15, 8, undefined]);
  expect(new Set([...first.result, ...second.result].map((coin: { value: number }) => coin.value)).size).toBe(23);
  for (const wrong of ['limit=0', 'limit=10001', 'token=x'])
    expect((await server.get(`${alone}?${wrong}`)).status).toBe(400);
  expect((await server.get(`${WOC}/address/${owner.address}/unconfirmed/unspent`)).body.result).toEqual([]);
});

test('reports an address as used after all its coins are spent', async () => {
  const server = await testServer();
  const used = async (): Promise<unknown> => (await server.get(`${WOC}/address/${owner.address}/used`)).body;
  expect(await used()).toBe(false);
  const coin = await fund(server);
  expect(await used()).toBe(true);
  await server.post('/arc/v1/tx', { rawTx: toHex(bytesOf(sendAll([coin], owner, other.script))) });
  await server.post('/mine', { blocks: 1 });
  expect(await used()).toBe(true);
  expect((await server.get(`${WOC}/address/nonsense/used`)).status).toBe(400);
});

test('lists the states of up to 20 transactions', async () => {
  const server = await testServer();
  const mined = await fund(server, 1000);
  await server.post('/mine', { blocks: 1 });
  const unconfirmed = await fund(server, 2000);
  const [unknown, { body: header }] = ['ab'.repeat(32), await server.get(`${WOC}/block/200/header`)];
  const { body } = await server.post(`${WOC}/txs/status`, { txids: [mined.txid, unconfirmed.txid, unknown] });
  expect(body).toEqual([
    { txid: mined.txid, blockhash: header.hash, blockheight: 200, blocktime: header.time, confirmations: 1 },
    { txid: unconfirmed.txid },
    { txid: unknown, error: 'unknown' },
  ]);
  const many = Array.from({ length: 21 }, () => unknown);
  expect((await server.post(`${WOC}/txs/status`, { txids: many })).status).toBe(400);
  expect((await server.post(`${WOC}/txs/status`, { txids: many.slice(1) })).status).toBe(200);
  expect((await server.post(`${WOC}/txs/status`, {})).status).toBe(400);
});

test('lists the spenders of up to 20 outputs', async () => {
  const server = await testServer();
  const [coin, free] = [await fund(server, 1000), await fund(server, 2000)];
  const sent = await server.post(`${WOC}/tx/raw`, { txhex: toHex(bytesOf(sendAll([coin], owner, other.script))) });
  const utxos = [coin, free].map(({ txid, vout }) => ({ txid, vout }));
  expect((await server.post(`${WOC}/utxos/spent`, { utxos })).body).toEqual([
    { utxo: utxos[0], spentIn: { txid: sent.body, vin: 0, status: 'unconfirmed' }, error: '' },
    { utxo: utxos[1], error: '' },
  ]);
  for (const wrong of [[], [5], Array.from({ length: 21 }, () => utxos[0])])
    expect((await server.post(`${WOC}/utxos/spent`, { utxos: wrong })).status).toBe(400);
});

test('names the spender of an output', async () => {
  const server = await testServer();
  const coin = await fund(server);
  expect((await server.get(`${WOC}/tx/${coin.txid}/0/spent`)).status).toBe(404);
  const {
    body: { txid },
  } = await server.post('/arc/v1/tx', { rawTx: toHex(bytesOf(sendAll([coin], owner, other.script))) });
  expect((await server.get(`${WOC}/tx/${coin.txid}/0/spent`)).body).toEqual({ txid, vin: 0, status: 'unconfirmed' });
  await server.post('/mine', { blocks: 1 });
  expect((await server.get(`${WOC}/tx/${coin.txid}/0/spent`)).body).toEqual({ txid, vin: 0, status: 'confirmed' });
  expect((await server.get(`${WOC}/tx/${coin.txid}/x/spent`)).status).toBe(404);
});

test('returns TSC proofs that lead to the header, for every transaction in blocks of one to nine', async () => {
  const server = await testServer();
  for (let waiting = 0; waiting < 9; waiting += 1) {
    const txids = await Promise.all(Array.from({ length: waiting }, async () => (await fund(server)).txid));
    for (const txid of txids) expect((await server.get(`${WOC}/tx/${txid}/proof/tsc`)).body).toBeNull();
    const {
      body: { hash, height },
    } = await server.post('/mine', { blocks: 1 });
    const { body: header } = await server.get(`${WOC}/block/${height}/header`);
    for (const txid of txids) {
      const { body } = await server.get(`${WOC}/tx/${txid}/proof/tsc`);
      expect(body).toHaveLength(1);
      const [proof] = body as { index: number; txOrId: string; target: string; nodes: string[] }[];
      expect([proof?.txOrId, proof?.target]).toEqual([txid, hash]);
      // BRC-10: from the leaf up, each bit of the index shows which side the node is on. `*` duplicates the node.
      let { index } = proof ?? { index: 0 };
      let node = reversed(txid);
      for (const sibling of proof?.nodes ?? []) {
        const side = sibling === '*' ? node : reversed(sibling);
        expect(sibling === '*' && index % 2 === 1).toBe(false);
        node = sha256d(index % 2 === 1 ? side + node : node + side);
        index >>= 1;
      }
      expect(index).toBe(0);
      expect(reversed(node)).toBe(header.merkleroot);
    }
  }
  expect((await server.get(`${WOC}/tx/${'00'.repeat(32)}/proof/tsc`)).status).toBe(404);
});

test('returns headers by height and hash, linked both ways, with the hash of their fields', async () => {
  const server = await testServer();
  const { body: header } = await server.get(`${WOC}/block/150/header`);
  expect(header).toMatchObject({ height: 150, confirmations: 50, bits: '207fffff', versionHex: '20000000', num_tx: 1 });
  const number = (n: number): string => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(n);
    return bytes.toString('hex');
  };
  const bytes =
    number(header.version) +
    reversed(header.previousblockhash) +
    reversed(header.merkleroot) +
    number(header.time) +
    reversed(header.bits) +
    number(header.nonce);
  expect(reversed(sha256d(bytes))).toBe(header.hash);
  expect((await server.get(`${WOC}/block/${header.hash}/header`)).body).toEqual(header);
  const { body: next } = await server.get(`${WOC}/block/${header.nextblockhash}/header`);
  expect(next).toMatchObject({ height: 151, previousblockhash: header.hash });
  expect(BigInt(`0x${next.chainwork}`) - BigInt(`0x${header.chainwork}`)).toBe(2n);
  expect(next.time).toBeGreaterThan(header.mediantime);
  const { body: info } = await server.get(`${WOC}/chain/info`);
  const { body: tip } = await server.get(`${WOC}/block/${info.bestblockhash}/header`);
  expect(tip).toMatchObject({ height: info.blocks, confirmations: 1, chainwork: info.chainwork });
  expect(tip).not.toHaveProperty('nextblockhash');
  expect(info).toMatchObject({ chain: 'test', blocks: 199, headers: 199 });
  expect((await server.get(`${WOC}/block/0/header`)).body).not.toHaveProperty('previousblockhash');
  for (const id of ['200', '-1', '1.5', 'x', 'ab'.repeat(32)])
    expect((await server.get(`${WOC}/block/${id}/header`)).status).toBe(404);
  expect((await server.get(`${WOC}/block/headers`)).body.map(({ height }: { height: number }) => height)).toEqual([
    199, 198, 197, 196, 195, 194, 193, 192, 191, 190,
  ]);
});

test('POST /tx/raw returns 400 with the reason for a rejection, and the txid again for a known transaction', async () => {
  const server = await testServer();
  const coin = await fund(server);
  const txhex = toHex(bytesOf(sendAll([coin], owner, other.script)));
  const wrong = await server.post(`${WOC}/tx/raw`, { txhex: toHex(bytesOf(sendAll([coin], other, other.script))) });
  expect(wrong).toMatchObject({ status: 400, body: expect.stringContaining('461') });
  for (const body of [{}, { txhex: 'zz' }, [], '{'])
    expect((await server.post(`${WOC}/tx/raw`, body)).status).toBe(400);
  const first = await server.post(`${WOC}/tx/raw`, { txhex });
  expect(first.status).toBe(200);
  expect(await server.post(`${WOC}/tx/raw`, { txhex })).toMatchObject({ status: 200, body: first.body });
  expect((await server.get(`${WOC}/tx/${first.body}/hex`)).body).toBe(txhex);
  expect((await server.get(`${WOC}/tx/${'ab'.repeat(32)}/hex`)).status).toBe(404);
  expect(server.errors).toEqual([]);
});

test('returns 50 USD as the price of one BSV', async () => {
  const server = await testServer();
  expect((await server.get(`${WOC}/exchangerate`)).body).toEqual({
    currency: 'USD',
    rate: 50,
    time: expect.closeTo(Date.now() / 1000, -2),
  });
});
