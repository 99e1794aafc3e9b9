import { afterEach, describe, expect, test } from 'vitest';
import { arcadeError, arcadeTransaction, networkTransaction } from '../../../protocol/network/arc.ts';
import { createBroadcaster } from '../../../protocol/network/broadcaster/broadcaster.ts';
import { extendedFormat } from '../../../protocol/network/broadcaster/extended-format.ts';
import type { TransactionEvent } from '../../../protocol/network/broadcaster/events.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransaction, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import { bytesOf, sendAll, testKey } from '../test-ledger.ts';
import { testServer, type TestServer } from '../test-server.ts';

const owner = testKey();
const other = testKey();

async function spend(server: TestServer, coin = fund(server)) {
  const source = await coin;
  const bytes = bytesOf(sendAll([source], owner, owner.script));
  const extended = extendedFormat(parseTransaction(bytes), [source]);
  const next = {
    txid: txidOf(bytes),
    vout: 0,
    satoshis: parseTransaction(bytes).outputs[0]?.satoshis as bigint,
    lockingScript: owner.script,
  };
  return { source, bytes, extended, txid: txidOf(bytes), next: Promise.resolve(next) };
}

async function fund(server: TestServer) {
  const { txid } = (await server.post('/faucet', { address: owner.address, satoshis: 10_000 })).body;
  return { txid: txid as string, vout: 0, satoshis: 10_000n, lockingScript: owner.script };
}

const submit = (server: TestServer, bytes: Uint8Array, headers: Record<string, string> = {}) =>
  server.post('/arcade/tx', { rawTx: toHex(bytes) }, headers);
const setFaults = (server: TestServer, faults: object[], at = 'arcade') => server.post('/faults', { at, faults });

describe('Arcade’s interface to the ledger', () => {
  test('accepts a new transaction with 202, and returns its status later', async () => {
    const server = await testServer();
    const { extended, txid } = await spend(server);
    expect(await submit(server, extended)).toMatchObject({
      status: 202,
      body: { txid, status: 202, txStatus: 'RECEIVED' },
    });
    const { body } = await server.get(`/arcade/tx/${txid}`);
    expect(arcadeTransaction.parse(body)).toMatchObject({ txid, txStatus: 'SEEN_ON_NETWORK' });
    expect((await submit(server, extended)).body.txStatus).toBe('SEEN_ON_NETWORK');
  });

  test('accepts hexadecimal text and bytes', async () => {
    const server = await testServer();
    const [one, two] = [await spend(server), await spend(server)];
    const text = { 'Content-Type': 'text/plain' };
    expect((await server.post('/arcade/tx', `${toHex(one.extended)}\n`, text)).status).toBe(202);
    const octets = { 'Content-Type': 'application/octet-stream' };
    expect((await server.post('/arcade/tx', two.extended, octets)).status).toBe(202);
  });

  test('accepts several transactions without separators', async () => {
    const server = await testServer();
    const one = await spend(server);
    const two = await spend(server, one.next);
    const octets = { 'Content-Type': 'application/octet-stream' };
    const both = Buffer.concat([one.bytes, two.bytes]);
    expect(await server.post('/arcade/txs', both, octets)).toMatchObject({
      status: 202,
      body: { submitted: 2, duplicates: 0, total: 2 },
    });
    expect((await server.post('/arcade/txs', both, octets)).body).toEqual({ submitted: 0, duplicates: 2, total: 2 });
    expect((await server.post('/arcade/txs', { rawTx: toHex(one.bytes) })).status).toBe(400);
  });

  test('returns the merkle path of a mined transaction, and IMMUTABLE after a hundred blocks', async () => {
    const server = await testServer();
    const { extended, txid } = await spend(server);
    await submit(server, extended);
    const { body: block } = await server.post('/mine', { blocks: 1 });
    const { body } = await server.get(`/arcade/tx/${txid}`);
    expect(body).toMatchObject({ txStatus: 'MINED', blockHash: block.hash, blockHeight: block.height });
    expect(body.merklePath).toBe((await server.get(`/arc/v1/tx/${txid}`)).body.merklePath);
    await server.post('/mine', { blocks: 99 });
    expect((await server.get(`/arcade/tx/${txid}`)).body.txStatus).toBe('IMMUTABLE');
  });

  test('stores rejections with the reason', async () => {
    const server = await testServer();
    const { source, extended, txid } = await spend(server);
    await submit(server, extended);
    const rival = bytesOf(sendAll([source], owner, other.script));
    const { status, body } = await submit(server, extendedFormat(parseTransaction(rival), [source]));
    expect([status, arcadeError.parse(body).status]).toEqual([400, 466]);
    expect(body.reason).toContain(txid);
    expect((await server.get(`/arcade/tx/${txidOf(rival)}`)).body).toMatchObject({ txStatus: 'REJECTED', status: 466 });
  });

  test('stores no transaction that is not final yet: code 476', async () => {
    const server = await testServer();
    const coin = await fund(server);
    const early = bytesOf({ ...sendAll([coin], owner, other.script), lockTime: 1_000_000, sequence: 0 });
    expect(await submit(server, extendedFormat(parseTransaction(early), [coin]))).toMatchObject({
      status: 400,
      body: { status: 476 },
    });
    expect((await server.get(`/arcade/tx/${txidOf(early)}`)).status).toBe(404);
  });

  test('rejects BEEF', async () => {
    const server = await testServer();
    expect((await server.post('/arcade/tx', { rawTx: '0100beef0000' })).status).toBe(400);
  });

  test('returns errors for unknown paths and bodies in its own format', async () => {
    const server = await testServer();
    for (const [status, answer] of [
      [404, await server.get('/arcade/v1/tx/00')],
      [400, await server.post('/arcade/tx', '{', {})],
      [400, await server.post('/arcade/tx', { rawTx: 'zz' })],
    ] as const) {
      expect(answer.status).toBe(status);
      expect(arcadeError.safeParse(answer.body).success).toBe(true);
    }
  });
});

describe.each(['arc', 'arcade'])('faults of %s', (at) => {
  const path = (rest: string) => (at === 'arc' ? `/arc/v1${rest}` : `/arcade${rest}`);
  const post = (server: TestServer, bytes: Uint8Array) => server.post(path('/tx'), { rawTx: toHex(bytes) });
  const statusOf = async (server: TestServer, txid: string) => (await server.get(path(`/tx/${txid}`))).body.txStatus;

  test('silence: returns RECEIVED, and then no result', async () => {
    const server = await testServer();
    await setFaults(server, [{ name: 'silence' }], at);
    const { extended, txid } = await spend(server);
    expect((await post(server, extended)).body.txStatus).toBe('RECEIVED');
    expect((await server.get(path(`/tx/${txid}`))).status).toBe(404);
  });

  test('received: returns RECEIVED indefinitely', async () => {
    const server = await testServer();
    await setFaults(server, [{ name: 'received' }], at);
    const { extended, txid } = await spend(server);
    await post(server, extended);
    expect(await statusOf(server, txid)).toBe('RECEIVED');
    expect((await server.get(`/woc/v1/bsv/test/tx/${txid}/hex`)).status).toBe(404);
  });

  test('rejected: accepts a resubmission after the fault', async () => {
    const server = await testServer();
    await setFaults(server, [{ name: 'rejected', times: 1, reason: 'parent rejected: 00' }], at);
    const { extended, txid } = await spend(server);
    await post(server, extended);
    expect(await statusOf(server, txid)).toBe('REJECTED');
    await post(server, extended);
    expect(await statusOf(server, txid)).toBe('SEEN_ON_NETWORK');
  });

  test('too-long-chain: rejects until a block is mined', async () => {
    const server = await testServer();
    const one = await spend(server);
    await post(server, one.extended);
    await setFaults(server, [{ name: 'too-long-chain', limit: 1 }], at);
    const two = await spend(server, one.next);
    await post(server, two.extended);
    expect((await server.get(path(`/tx/${two.txid}`))).body).toMatchObject({
      txStatus: 'REJECTED',
      extraInfo: 'too-long-mempool-chain',
    });
    await server.post('/mine', { blocks: 1 });
    await post(server, two.extended);
    expect(await statusOf(server, two.txid)).toBe('SEEN_ON_NETWORK');
  });

  test('applies overloaded, key-required, refused, contested, other-dialect and down on request', async () => {
    const server = await testServer();
    const { extended, txid } = await spend(server);
    await setFaults(server, [{ name: 'overloaded', times: 1, seconds: 30 }], at);
    const busy = await post(server, extended);
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '30']);
    await setFaults(server, [{ name: 'key-required', key: 'k' }], at);
    expect((await post(server, extended)).status).toBe(401);
    await setFaults(server, [{ name: 'refused', code: 476 }], at);
    expect((await post(server, extended)).body.status).toBe(476);
    await setFaults(server, [{ name: 'down', times: 1 }], at);
    await expect(post(server, extended)).rejects.toThrow();
    await setFaults(server, [{ name: 'contested', times: 1 }], at);
    await post(server, extended);
    expect((await server.get(path(`/tx/${txid}`))).body.competingTxs).toEqual(['cc'.repeat(32)]);
    await setFaults(server, [{ name: 'other-dialect' }], at);
    const answer = await post(server, extended);
    expect([answer.status, networkTransaction.safeParse(answer.body).success]).toEqual([
      at === 'arc' ? 202 : 200,
      true,
    ]);
    await setFaults(server, [{ name: 'forgets' }], at);
    expect((await server.get(path(`/tx/${txid}`))).status).toBe(404);
  });

  test('rejects unknown faults', async () => {
    const server = await testServer();
    expect((await setFaults(server, [{ name: 'nonsense' }], at)).status).toBe(400);
  });
});

describe('Arcade’s event stream', () => {
  const ending = new AbortController();
  afterEach(() => ending.abort());

  function follow(server: TestServer, after: string | null = null) {
    const client = createBroadcaster(
      { url: `${server.url}/arcade`, key: null },
      {
        now: Date.now,
        async send(url, { headers }) {
          const response = await fetch(url, { headers });
          return { status: response.status, text: await response.text(), retryAfter: null };
        },
        open: async (url, headers, signal) => {
          const { status, body } = await fetch(url, { headers, signal });
          return { status, body: body as AsyncIterable<Uint8Array> | null };
        },
      },
    );
    const stopped = new AbortController();
    const iterator = client.follow('token', after, stopped.signal)[Symbol.asyncIterator]();
    return {
      async take(count: number): Promise<TransactionEvent[]> {
        const events: TransactionEvent[] = [];
        while (events.length < count) {
          const next = await iterator.next();
          if (next.done) break;
          events.push(next.value as TransactionEvent);
        }
        return events;
      },
      stop: () => stopped.abort(),
    };
  }
  const token = { 'X-CallbackToken': 'token' };
  const said = (events: TransactionEvent[]) =>
    events.map(({ transaction: { txStatus, merklePath } }) => [txStatus, Boolean(merklePath)]);

  test('carries the merkle path of a mined transaction, and continues after the last event seen', async () => {
    const server = await testServer();
    const { extended } = await spend(server);
    await submit(server, extended, token);
    const first = follow(server, '0');
    const [seen] = await first.take(1);
    expect(seen?.transaction.txStatus).toBe('SEEN_ON_NETWORK');
    first.stop();
    await server.post('/mine', { blocks: 1 });
    const second = follow(server, seen?.id ?? null);
    expect(said(await second.take(1))).toEqual([['MINED', true]]);
    second.stop();
  });

  test('breaks off, repeats events and omits the proof on request', async () => {
    const server = await testServer();
    const { extended } = await spend(server);
    await submit(server, extended, token);
    await server.post('/mine', { blocks: 1 });
    await setFaults(server, [{ name: 'events-without-proof' }, { name: 'events-repeat' }, { name: 'events-break' }]);
    expect(said(await follow(server, '0').take(5))).toEqual([
      ['MINED', false],
      ['MINED', false],
    ]);
    await setFaults(server, [{ name: 'events-down' }]);
    await expect(follow(server, '0').take(1)).rejects.toThrow();
  });

  test('reports a reorganization, and keeps the orphaned proofs in the status', async () => {
    const server = await testServer();
    const { extended, txid } = await spend(server);
    await submit(server, extended, token);
    await server.post('/mine', { blocks: 1 });
    await setFaults(server, [{ name: 'reorg-unmined' }]);
    expect((await server.get(`/arcade/tx/${txid}`)).body).toMatchObject({
      txStatus: 'SEEN_ON_NETWORK',
      extraInfo: 'reorg_unmined',
      orphanedProofs: [{ blockHeight: 200 }],
    });
    await setFaults(server, [{ name: 'reorg-reanchor' }]);
    const stream = follow(server, '0');
    expect((await stream.take(1))[0]?.transaction).toMatchObject({ txStatus: 'MINED', extraInfo: 'reorg_reanchor' });
    stream.stop();
  });
});

// Parsing these bodies would take 56 s and 1.25 GB, during which no request would get a response.
test('two bodies of 25 MB of empty objects are rejected without blocking other requests', async () => {
  const server = await testServer();
  const body = `{"rawTx":"00","j":[${'{},'.repeat(8_300_000)}{}]}`;
  const posts = ['/arc/v1/tx', '/arcade/tx'].map((path) => server.post(path, body));
  expect((await server.get('/arc/v1/health')).status).toBe(200);
  expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([400, 400]);
}, 30_000);
