import { MerklePath } from '@bsv/sdk';
import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { arcError, arcPolicy, arcTransaction } from '../../../protocol/network/arc.ts';
import { concatBytes, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, type Transaction, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import { dataScript } from '../../../protocol/bitcoin/push-data.ts';
import { ByteWriter } from '../../../protocol/bitcoin/wire-format.ts';
import { Callbacks, callbackUrl } from './callbacks.ts';
import { build, bytesOf, type Plan, sendAll, type TestCoin, testKey } from '../test-ledger.ts';
import { type TestResponse, type TestServer, testServer, WOC } from '../test-server.ts';

const owner = testKey();
const other = testKey();

async function fund(server: TestServer, satoshis = 10_000): Promise<TestCoin> {
  const { body } = await server.post('/faucet', { address: owner.address, satoshis });
  return { txid: body.txid, vout: 0, satoshis: BigInt(satoshis), lockingScript: owner.script };
}

async function start(): Promise<{ server: TestServer; coin: TestCoin; plan: Plan }> {
  const server = await testServer();
  const coin = await fund(server);
  return { server, coin, plan: sendAll([coin], owner, other.script) };
}

function send(server: TestServer, bytes: Uint8Array, headers?: Record<string, string>): Promise<TestResponse> {
  return server.post('/arc/v1/tx', { rawTx: toHex(bytes) }, headers);
}

function extended(transaction: Transaction, coins: readonly TestCoin[]): Uint8Array {
  const writer = new ByteWriter()
    .uint32(transaction.version)
    .bytes(new Uint8Array([0, 0, 0, 0, 0, 0xef]))
    .compactSize(coins.length);
  transaction.inputs.forEach((input, i) => {
    const coin = coins[i];
    if (!coin) throw new RangeError('a coin is missing');
    writer
      .txid(input.txid)
      .uint32(input.vout)
      .compactSize(input.unlockingScript.length)
      .bytes(input.unlockingScript)
      .uint32(input.sequence);
    writer.uint64(coin.satoshis).compactSize(coin.lockingScript.length).bytes(coin.lockingScript);
  });
  const raw = serializeTransaction({ ...transaction, inputs: [] });
  return concatBytes(writer.done(), raw.subarray(5));
}

describe('POST /v1/tx', () => {
  test('returns 200 with the status, even for a repeated request, and later a merkle path that leads to the header', async () => {
    const { server, plan } = await start();
    const bytes = bytesOf(plan);
    const first = await send(server, bytes);
    expect(first.status).toBe(200);
    expect(arcTransaction.parse(first.body)).toMatchObject({
      txStatus: 'SEEN_ON_NETWORK',
      blockHash: '',
      blockHeight: 0,
      merklePath: '',
    });
    expect(first.body).toMatchObject({ status: 200, title: 'OK' });
    const again = await send(server, bytes);
    expect(again).toMatchObject({ status: 200, body: first.body });
    await server.post('/mine', { blocks: 1 });
    const { body } = await server.get(`/arc/v1/tx/${first.body.txid}`);
    const header = (await server.get(`${WOC}/block/200/header`)).body;
    expect(arcTransaction.parse(body)).toMatchObject({ txStatus: 'MINED', blockHeight: 200, blockHash: header.hash });
    expect(MerklePath.fromHex(body.merklePath).computeRoot(first.body.txid)).toBe(header.merkleroot);
    expect(MerklePath.fromHex(body.merklePath).blockHeight).toBe(200);
    expect((await send(server, bytes)).body).toMatchObject({ txStatus: 'MINED', status: 200 });
  });

  test('accepts hex as text, bytes, and extended format', async () => {
    const { server, plan } = await start();
    const bytes = bytesOf(plan);
    expect(
      (await server.post('/arc/v1/tx', `${toHex(bytes).toUpperCase()}\n`, { 'Content-Type': 'text/plain' })).status,
    ).toBe(200);
    expect((await server.post('/arc/v1/tx', bytes, { 'Content-Type': 'application/octet-stream' })).status).toBe(200);
    const coins = [await fund(server), await fund(server, 20_000)];
    const transaction = build(sendAll(coins, owner, other.script));
    const { status, body } = await send(server, extended(transaction, coins));
    expect(status).toBe(200);
    expect((await server.get(`${WOC}/tx/${body.txid}/hex`)).body).toBe(toHex(serializeTransaction(transaction)));
  });

  test('returns every rejection in the format of RFC 9457 with its code', async () => {
    const { server, coin, plan } = await start();
    const refused = async (status: number, bytes: Uint8Array): Promise<void> => {
      const answer = await send(server, bytes);
      expect(answer.status, answer.body.extraInfo).toBe(status);
      expect(arcError.parse(answer.body).status).toBe(status);
      expect(Object.keys(answer.body)).toEqual(['type', 'title', 'status', 'detail', 'instance', 'txid', 'extraInfo']);
    };
    const good = build(plan);
    await refused(460, extended(good, [{ ...coin, satoshis: 9n }]));
    await refused(461, bytesOf({ ...plan, owner: other }));
    await refused(462, bytesOf({ ...plan, coins: [{ ...coin, vout: 9 }] }));
    await refused(463, bytesOf(plan).subarray(1));
    await refused(463, extended(good, [coin]).subarray(0, 60));
    await refused(463, concatBytes(extended(good, [coin]), new Uint8Array(1)));
    await refused(464, bytesOf({ ...plan, outputs: [{ satoshis: 1n, lockingScript: dataScript(new Uint8Array(1)) }] }));
    await refused(465, bytesOf({ ...plan, outputs: [{ satoshis: coin.satoshis, lockingScript: other.script }] }));
    await refused(
      474,
      bytesOf({
        ...plan,
        outputs: [{ satoshis: 0n, lockingScript: dataScript(new Uint8Array(10_000_000)) }],
        unlock: () => new Uint8Array(0),
      }),
    );
    expect((await send(server, serializeTransaction(good))).status).toBe(200);
    await refused(466, bytesOf({ ...plan, outputs: [{ satoshis: 5n, lockingScript: owner.script }] }));
  });

  test('returns 400 for bytes that aren’t a transaction', async () => {
    const { server } = await start();
    for (const body of [{}, { rawTx: '' }, { rawTx: 'xyz' }, { rawTx: '0' }, { rawTx: 5 }, [], '{"rawTx":']) {
      expect(await server.post('/arc/v1/tx', body)).toMatchObject({
        status: 400,
        body: { status: 400, title: 'Bad request' },
      });
    }
    expect(server.errors).toEqual([]);
  });

  test('accepts many transactions in one request, even with rejected ones among them', async () => {
    const { server, plan } = await start();
    const { body } = await server.post('/arc/v1/txs', [{ rawTx: toHex(bytesOf(plan)) }, { rawTx: '00' }, 5]);
    expect(body.map(({ status }: { status: number }) => status)).toEqual([200, 463, 400]);
    expect((await server.post('/arc/v1/txs', { rawTx: '00' })).status).toBe(400);
  });

  test('accepts only one of eight concurrent spends of a coin', async () => {
    const { server, plan } = await start();
    const rivals = Array.from({ length: 8 }, (_, i) =>
      bytesOf({ ...plan, outputs: [{ satoshis: BigInt(5_000 + i), lockingScript: other.script }] }),
    );
    const answers = await Promise.all(rivals.map((bytes) => send(server, bytes)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 466)]);
  });

  test('waits for the block with X-WaitFor: MINED', async () => {
    const { server, plan } = await start();
    const waiting = send(server, bytesOf(plan), { 'X-WaitFor': 'MINED', 'X-MaxTimeout': '20' });
    const coins = async (): Promise<unknown[]> =>
      (await server.get(`${WOC}/address/${other.address}/unspent/all`)).body.result;
    while ((await coins()).length === 0);
    await server.post('/mine', { blocks: 1 });
    expect((await waiting).body.txStatus).toBe('MINED');
  });
});

test('returns 404 for an unknown transaction, and the ledger’s policy', async () => {
  const server = await testServer();
  const unknown = await server.get(`/arc/v1/tx/${'ab'.repeat(32)}`);
  expect([unknown.status, arcError.parse(unknown.body).status]).toEqual([404, 404]);
  const { body } = await server.get('/arc/v1/policy');
  expect(arcPolicy.parse(body).policy).toEqual({
    maxscriptsizepolicy: 500_000,
    maxtxsizepolicy: 10_000_000,
    maxtxsigopscountspolicy: 4_294_967_295,
    miningFee: { satoshis: 100, bytes: 1000 },
  });
});

describe('BEEF', () => {
  /** Encodes a BEEF (BRC-62): merkle paths, then transactions, each with the index of its path or null. */
  const beef = (paths: string[], transactions: [Uint8Array, number | null][]): Uint8Array => {
    const writer = new ByteWriter().bytes(new Uint8Array([0x01, 0x00, 0xbe, 0xef])).compactSize(paths.length);
    for (const path of paths) writer.bytes(Buffer.from(path, 'hex'));
    writer.compactSize(transactions.length);
    for (const [bytes, path] of transactions) {
      writer.bytes(bytes).uint8(path === null ? 0 : 1);
      if (path !== null) writer.compactSize(path);
    }
    return writer.done();
  };

  test('accepts new ancestors with a transaction, and requires paths to lead to this chain', async () => {
    const { server, coin, plan } = await start();
    await server.post('/mine', { blocks: 1 });
    const path = (await server.get(`/arc/v1/tx/${coin.txid}`)).body.merklePath;
    const ancestor = Buffer.from((await server.get(`${WOC}/tx/${coin.txid}/hex`)).body, 'hex');
    const parentPlan = { ...plan, outputs: [{ satoshis: 9_000n, lockingScript: owner.script }] };
    const parent = bytesOf(parentPlan);
    const parentTxid = txidOf(parent);
    const child = bytesOf(
      sendAll([{ txid: parentTxid, vout: 0, satoshis: 9_000n, lockingScript: owner.script }], owner, other.script),
    );
    expect((await send(server, child)).status).toBe(462);
    const whole: [Uint8Array, number | null][] = [
      [ancestor, 0],
      [parent, null],
      [child, null],
    ];
    expect((await send(server, beef([path], [[ancestor, 1]]))).status).toBe(468);
    expect((await send(server, beef([path], []))).status).toBe(467);
    expect((await send(server, concatBytes(beef([path], whole), new Uint8Array(1)))).status).toBe(463);
    const other200 = path.replace(/^[0-9a-f]{2}/, '07');
    expect((await send(server, beef([other200], whole))).status).toBe(469);
    const { status, body } = await send(server, beef([path], whole));
    expect([status, body.txStatus]).toEqual([200, 'SEEN_ON_NETWORK']);
    expect((await server.get(`/arc/v1/tx/${parentTxid}`)).status).toBe(200);
    const atomic = (txid: string): Uint8Array =>
      concatBytes(new Uint8Array([1, 1, 1, 1]), Buffer.from(txid, 'hex').reverse(), beef([path], whole));
    expect((await send(server, atomic(body.txid))).status).toBe(200);
    expect((await send(server, atomic(parentTxid))).status).toBe(463);
  });
});

describe('callbacks of ARC', () => {
  async function receiver(
    ...statuses: number[]
  ): Promise<{ url: string; next(): Promise<{ authorization: string | undefined; body: Record<string, unknown> }> }> {
    const got: { authorization: string | undefined; body: Record<string, unknown> }[] = [];
    let wake = (): void => undefined;
    const app = express()
      .use(express.json())
      .post('/told', (request, response) => {
        got.push({ authorization: request.get('Authorization'), body: request.body as Record<string, unknown> });
        response.status(statuses.shift() ?? 200).end();
        wake();
      });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`,
      next: async () => {
        while (got.length === 0)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        const [first] = got.splice(0, 1);
        if (!first) throw new RangeError('nothing came');
        return first;
      },
    };
  }

  test('call the receiver when seen and when mined, with the token', async () => {
    const { server, plan } = await start();
    const { url, next } = await receiver();
    const {
      body: { txid },
    } = await send(server, bytesOf(plan), { 'X-CallbackUrl': url, 'X-CallbackToken': 'secret' });
    expect(await next()).toMatchObject({ authorization: 'Bearer secret', body: { txid, txStatus: 'SEEN_ON_NETWORK' } });
    await server.post('/mine', { blocks: 1 });
    const { body } = await next();
    expect(Object.keys(body)).toEqual(['txid', 'txStatus', 'blockHash', 'blockHeight', 'merklePath', 'timestamp']);
    expect(body).toMatchObject({ txid, txStatus: 'MINED', blockHeight: 200 });
  });

  test('retry in order if the receiver fails', async () => {
    const callbacks = new Callbacks([0, 0, 0]);
    const { url, next } = await receiver(500, 404);
    const status = (txStatus: 'SEEN_ON_NETWORK' | 'MINED') => ({ txid: 'ab', txStatus });
    callbacks.add('ab', { url, token: undefined });
    callbacks.tell(status('SEEN_ON_NETWORK'));
    callbacks.tell(status('MINED'));
    const seen = [await next(), await next(), await next(), await next()];
    expect(seen.map(({ body }) => body['txStatus'])).toEqual([
      'SEEN_ON_NETWORK',
      'SEEN_ON_NETWORK',
      'SEEN_ON_NETWORK',
      'MINED',
    ]);
    await callbacks.close();
  });

  test('stop when the devnet closes', async () => {
    const callbacks = new Callbacks([1_000_000]);
    callbacks.add('ab', { url: 'http://127.0.0.1:1/', token: undefined });
    callbacks.tell({ txid: 'ab', txStatus: 'SEEN_ON_NETWORK' });
    await callbacks.close();
  });

  test('require http or https without credentials', async () => {
    for (const url of [
      'ftp://a.example/',
      'file:///etc/passwd',
      'javascript:1',
      'nonsense',
      'http://user:word@a.example/',
      `http://a.example/${'a'.repeat(2000)}`,
    ])
      expect(callbackUrl(url)).toBeNull();
    expect(callbackUrl('https://a.example/x')).toBe('https://a.example/x');
    const { server, plan } = await start();
    expect((await send(server, bytesOf(plan), { 'X-CallbackUrl': 'file:///x' })).status).toBe(400);
    expect((await server.get(`${WOC}/address/${other.address}/used`)).body).toBe(false);
  });
});
