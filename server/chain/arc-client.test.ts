import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toHex } from '../../protocol/bytes.ts';
import { parseTransaction, txidOf } from '../../protocol/transaction.ts';
import { bytesOf, sendAll, testKey } from '../devnet/test-ledger.ts';
import { testServer, WOC } from '../devnet/test-server.ts';
import { createArcClient, type ArcClient, type ArcOptions } from './arc-client.ts';
import { createTransactionSource } from './transaction-source.ts';

const TXID = 'ab'.repeat(32);
const unavailable = expect.objectContaining({ code: 'network-unavailable' }) as Error;

describe('a broadcast', () => {
  /** What it answers: status and body of POST /v1/tx, and the status that GET /v1/tx/{txid} tells, null for 404. */
  let posted: { status: number; body: unknown };
  let known: string | null;
  let asked: unknown[];
  let arc: ArcClient;
  const app = express();
  app.get('/v1/policy', (_request, response) => {
    const limits = { maxscriptsizepolicy: 1, maxtxsizepolicy: 1, maxtxsigopscountspolicy: 1 };
    response.json({ policy: { ...limits, miningFee: { satoshis: 100, bytes: 1000 } } });
  });
  app.post('/v1/tx', express.json(), (request, response) => {
    asked.push([request.body, request.get('X-WaitFor'), request.get('X-MaxTimeout')]);
    response.status(posted.status).json(posted.body);
  });
  app.get('/v1/tx/:txid', (request, response) => {
    asked.push(request.params.txid);
    if (known === null) response.status(404).json({});
    else response.json({ txid: request.params.txid, txStatus: known });
  });
  const server = app.listen(0, '127.0.0.1');
  beforeAll(async () => {
    if (!server.listening) await once(server, 'listening');
    arc = createArcClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(() => void server.close());

  const broadcast = (status: number, body: unknown, knows: string | null = null) => {
    posted = { status, body };
    known = knows;
    asked = [];
    return arc.broadcast('00ff', TXID);
  };

  test('submits the hex, waits for a node’s answer, and returns ARC’s status', async () => {
    expect(await broadcast(200, { txid: TXID, txStatus: 'SEEN_ON_NETWORK', status: 200, title: 'OK' })).toMatchObject({
      txStatus: 'SEEN_ON_NETWORK',
    });
    expect(asked).toEqual([[{ rawTx: '00ff' }, 'SEEN_ON_NETWORK', '5']]);
  });

  test.each([400, 409, 460, 461, 462, 465, 466, 469, 474])(
    'that is refused with %i is what ARC knows of it all the same, or nothing',
    async (status) => {
      expect(await broadcast(status, { status, title: 'no' }, 'MINED')).toMatchObject({ txStatus: 'MINED' });
      expect(asked.at(-1)).toBe(TXID);
      expect(await broadcast(status, { status, title: 'no' })).toBeNull();
    },
  );

  test.each([
    ['a fault of ARC', 500, {}],
    ['another transaction', 200, { txid: 'cd'.repeat(32), txStatus: 'MINED' }],
    ['no transaction', 200, {}],
  ])('that %s answers has an unknown end, unless ARC knows the transaction', async (_, status, body) => {
    await expect(broadcast(status, body)).rejects.toThrow(unavailable);
    expect(await broadcast(status, body, 'MINED')).toMatchObject({ txStatus: 'MINED' });
  });

  test('is asked about again if its status is new', async () => {
    const submitted = await broadcast(200, { txid: TXID, txStatus: 'FINE' }, 'MINED');
    expect(submitted).toMatchObject({ txStatus: 'MINED' });
  });

  test('answered with too many requests has an unknown end', async () => {
    await expect(broadcast(429, {}, 'MINED')).rejects.toThrow(unavailable);
  });
});

describe.each(['arc', 'arcade'] as const)('on devnet by %s', (at) => {
  const owner = testKey();
  async function start(options: ArcOptions = {}) {
    const server = await testServer();
    const source = createTransactionSource(`${server.url}${WOC}`);
    const { txid } = (await server.post('/faucet', { address: owner.address, satoshis: 10_000 })).body;
    const coin = { txid: txid as string, vout: 0, satoshis: 10_000n, lockingScript: owner.script };
    const bytes = bytesOf(sendAll([coin], owner, owner.script));
    return { server, coin, bytes, arc: createArcClient(`${server.url}/${at}`, { source, ...options }) };
  }

  test('a raw transaction is submitted in Extended Format, with outputs from the index', async () => {
    const { arc, bytes } = await start();
    expect(await arc.broadcast(toHex(bytes), txidOf(bytes))).toMatchObject({ txStatus: 'SEEN_ON_NETWORK' });
    expect(await arc.feePolicy()).toEqual({ satoshis: 100, bytes: 1000 });
  });

  test('a BEEF is submitted with the ancestors that the network does not have', async () => {
    const { arc, bytes, coin, server } = await start();
    const next = {
      txid: txidOf(bytes),
      vout: 0,
      satoshis: parseTransaction(bytes).outputs[0]?.satoshis as bigint,
      lockingScript: owner.script,
    };
    const child = bytesOf(sendAll([next], owner, owner.script));
    const beef = `0100beef0002${toHex(bytes)}00${toHex(child)}00`;
    expect(coin.satoshis).toBeGreaterThan(next.satoshis);
    expect(await arc.broadcast(beef, txidOf(child))).toMatchObject({ txStatus: 'SEEN_ON_NETWORK' });
    expect((await server.get(`${WOC}/tx/${txidOf(bytes)}/hex`)).status).toBe(200);
  });

  test('an operator that requires a key gets its own, and no other operator does', async () => {
    const { arc, bytes, server } = await start({ key: 'secret' });
    await server.post('/faults', { at, faults: [{ name: 'key-required', key: 'secret' }] });
    expect(await arc.broadcast(toHex(bytes), txidOf(bytes))).toMatchObject({ txStatus: 'SEEN_ON_NETWORK' });
    const other = createArcClient('http://127.0.0.1:1', { key: 'secret', others: [`${server.url}/${at}`] });
    await expect(other.broadcast(toHex(bytes), txidOf(bytes))).rejects.toThrow(unavailable);
  });

  test.each([
    [{ name: 'down' }],
    [{ name: 'key-required', key: 'k' }],
    [{ name: 'overloaded', seconds: 30 }],
    [{ name: 'refused', code: 461 }],
    [{ name: 'rejected', reason: 'too-long-mempool-chain' }],
  ])('the second operator accepts what the first does not: %j', async (fault) => {
    const { server, bytes } = await start();
    const other = at === 'arc' ? 'arcade' : 'arc';
    const source = createTransactionSource(`${server.url}${WOC}`);
    const arc = createArcClient(`${server.url}/${at}`, { others: [`${server.url}/${other}`], source });
    await server.post('/faults', { at, faults: [fault] });
    expect(await arc.broadcast(toHex(bytes), txidOf(bytes))).toMatchObject({ txStatus: 'SEEN_ON_NETWORK' });
  });
});
