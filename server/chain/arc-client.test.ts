import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransaction, serializeTransaction, sha256d, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { bytesOf, sendAll, testKey } from '../devnet/test-ledger.ts';
import { testServer, WOC } from '../devnet/test-server.ts';
import { createArcClient, type ArcClient, type ArcOptions } from './arc-client.ts';
import { transactionsOf } from './envelope.ts';
import { createTransactionSource } from './transaction-source.ts';

const TXID = 'ab'.repeat(32);
const unavailable = expect.objectContaining({ code: 'network-unavailable' }) as Error;

describe('a broadcast', () => {
  type Posted = { status: number; body: unknown };
  /** Fake responses: status and body for POST /v1/tx, and the status for GET /v1/tx/{txid}; null for 404. */
  let posted: Posted | ((rawTx: string) => Posted);
  let known: string | null;
  let asked: unknown[];
  let arc: ArcClient;
  const app = express();
  app.get('/v1/policy', (_request, response) => {
    const limits = { maxscriptsizepolicy: 1, maxtxsizepolicy: 1, maxtxsigopscountspolicy: 1 };
    response.json({ policy: { ...limits, miningFee: { satoshis: 100, bytes: 1000 } } });
  });
  app.post('/v1/tx', express.json({ limit: '1mb' }), (request, response) => {
    asked.push([request.body, request.get('X-WaitFor'), request.get('X-MaxTimeout')]);
    const { status, body } = typeof posted === 'function' ? posted((request.body as { rawTx: string }).rawTx) : posted;
    response.status(status).json(body);
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
    'returns ARC’s status of a transaction rejected with %i, or null if ARC doesn’t know it',
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
  ])('throws for an unknown outcome after %s unless ARC knows the transaction', async (_, status, body) => {
    await expect(broadcast(status, body)).rejects.toThrow(unavailable);
    expect(await broadcast(status, body, 'MINED')).toMatchObject({ txStatus: 'MINED' });
  });

  test('queries the transaction again if its status is new', async () => {
    const submitted = await broadcast(200, { txid: TXID, txStatus: 'FINE' }, 'MINED');
    expect(submitted).toMatchObject({ txStatus: 'MINED' });
  });

  /** A transaction that spends the first output of `parent`. */
  const spending = (parent: string, satoshis = 1n) =>
    serializeTransaction({
      version: 1,
      lockTime: 0,
      inputs: [{ txid: parent, vout: 0, unlockingScript: new Uint8Array(), sequence: 0 }],
      outputs: [{ satoshis, lockingScript: new Uint8Array() }],
    });

  test('submits a BEEF’s transaction without computing its merkle paths, which would block the process', async () => {
    const subject = spending('cd'.repeat(32));
    // Two leaves at the same position, which any computation of the path would reject.
    const path = `070102${`0000${'11'.repeat(32)}`.repeat(2)}`;
    [posted, known, asked] = [{ status: 200, body: { txid: txidOf(subject), txStatus: 'MINED' } }, null, []];
    for (const prefix of ['', `01010101${toHex(sha256d(subject))}`])
      await arc.broadcast(`${prefix}0100beef01${path}01${toHex(subject)}0100`, txidOf(subject));
    expect(asked).toEqual([1, 2].map(() => [{ rawTx: toHex(subject) }, 'SEEN_ON_NETWORK', '5']));
  });

  test('reads only a BEEF’s last thousand transactions, because reading all would block the process', async () => {
    // The network would reject the first one, whose output exceeds all money that exists.
    const chain = [spending('cd'.repeat(32), 2n ** 62n)];
    for (let i = 0; i < 1_000; i += 1) chain.push(spending(txidOf(chain[i] as Uint8Array)));
    const beef = `0100beef00fde903${chain.map((bytes) => `${toHex(bytes)}00`).join('')}`;
    const subject = chain.at(-1) as Uint8Array;
    [posted, known, asked] = [{ status: 200, body: { txid: txidOf(subject), txStatus: 'MINED' } }, 'MINED', []];
    expect(await arc.broadcast(beef, txidOf(subject))).toMatchObject({ txStatus: 'MINED' });
    posted = { status: 400, body: {} };
    [known, asked] = [null, []];
    expect(await arc.broadcast(beef, txidOf(subject))).toBeNull();
    // The BEEF, then the first and last ten ancestors, then the BEEF again.
    expect(asked.filter((one) => Array.isArray(one))).toHaveLength(22);
  });

  describe('a BEEF that ARC rejects as a whole', () => {
    const REFUSED = { status: 466, body: { status: 466 } };
    const chainOf = (length: number) => {
      const chain = [spending('cd'.repeat(32))];
      while (chain.length < length) chain.push(spending(txidOf(chain.at(-1) as Uint8Array)));
      return chain;
    };
    const beefOf = (all: readonly Uint8Array[], isProven: (i: number) => boolean = () => false) => {
      const path = `010101${`0002${'11'.repeat(32)}`}`;
      const members = all.map((bytes, i) => toHex(bytes) + (isProven(i) ? '0100' : '00'));
      return `0100beef01${path}${all.length.toString(16).padStart(2, '0')}${members.join('')}`;
    };
    /** Broadcasts the last transaction. Returns its status and the submitted ancestors' positions. */
    const sent = async (all: readonly Uint8Array[], beef: string, accepts: (i: number, times: number) => boolean) => {
      const ids = all.map(txidOf);
      const submitted: number[] = [];
      let counted = 0;
      known = null;
      posted = (rawTx) => {
        const txid = txidOf(subjectOf(rawTx));
        const i = ids.indexOf(txid);
        submitted.push(i);
        return accepts(i, submitted.filter((one) => one === i).length)
          ? { status: 200, body: { txid, txStatus: 'SEEN_ON_NETWORK' } }
          : REFUSED;
      };
      const taken = await arc.broadcast(beef, txidOf(all.at(-1) as Uint8Array), () => (counted += 1));
      const ancestors = submitted.filter((i) => i < all.length - 1);
      expect(counted).toBe(ancestors.length);
      return { status: taken?.txStatus ?? null, ancestors, requests: submitted.length };
    };
    const subjectOf = (rawTx: string) => transactionsOf(fromHex(rawTx)).at(-1)?.bytes ?? new Uint8Array();
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

    test('submits only ancestors, and of these only the unmined ones', async () => {
      const chain = chainOf(5);
      const strangers = range(0, 20).map((i) => spending(i.toString(16).padStart(64, '0')));
      const all = [...strangers, ...chain];
      const beef = beefOf(all, (i) => i === 21);
      expect(await sent(all, beef, (i, times) => i < 24 || times > 1)).toEqual({
        status: 'SEEN_ON_NETWORK',
        ancestors: [22, 23],
        requests: 4,
      });
      expect(
        await sent(
          all,
          beefOf(all, (i) => i < 24),
          () => false,
        ),
      ).toMatchObject({ status: null, ancestors: [] });
    });

    test('submits all of fifty unmined ancestors if they are accepted', async () => {
      const chain = chainOf(53);
      const { status, ancestors } = await sent(chain, beefOf(chain), (i, times) => i < 52 || times > 1);
      expect([status, ancestors]).toEqual(['SEEN_ON_NETWORK', range(2, 52)]);
    });

    test('submits the others even if the operator rejects a few, which can be mined', async () => {
      const chain = chainOf(20);
      const { status, ancestors } = await sent(chain, beefOf(chain), (i, times) => i >= 9 && (i < 19 || times > 1));
      expect([status, ancestors]).toEqual(['SEEN_ON_NETWORK', range(0, 19)]);
    });

    test('submits only the last ten after ten rejected ancestors', async () => {
      const chain = chainOf(51);
      const { status, ancestors } = await sent(chain, beefOf(chain), (i) => i % 2 === 0 && i < 50);
      expect([status, ancestors]).toEqual([null, [...range(0, 20), ...range(40, 50)]]);
    });

    test('succeeds if ten ancestors have been mined since the BEEF was made', async () => {
      const chain = chainOf(13);
      const { status, ancestors } = await sent(chain, beefOf(chain), (i, times) => i >= 10 && (i < 12 || times > 1));
      expect([status, ancestors]).toEqual(['SEEN_ON_NETWORK', range(0, 12)]);
    });
  });

  test('throws for an unknown outcome after too many requests', async () => {
    await expect(broadcast(429, {}, 'MINED')).rejects.toThrow(unavailable);
  });
});

describe.each(['arc', 'arcade'] as const)('the ARC client on devnet with %s', (at) => {
  const owner = testKey();
  async function start(options: ArcOptions = {}) {
    const server = await testServer();
    const source = createTransactionSource(`${server.url}${WOC}`);
    const { txid } = (await server.post('/faucet', { address: owner.address, satoshis: 10_000 })).body;
    const coin = { txid: txid as string, vout: 0, satoshis: 10_000n, lockingScript: owner.script };
    const bytes = bytesOf(sendAll([coin], owner, owner.script));
    return { server, coin, bytes, arc: createArcClient(`${server.url}/${at}`, { source, ...options }) };
  }

  test('submits a raw transaction in Extended Format, with outputs from the index', async () => {
    const { arc, bytes } = await start();
    expect(await arc.broadcast(toHex(bytes), txidOf(bytes))).toMatchObject({ txStatus: 'SEEN_ON_NETWORK' });
    expect(await arc.feePolicy()).toEqual({ satoshis: 100, bytes: 1000 });
  });

  test('submits a BEEF with the ancestors that the network lacks', async () => {
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

  test('sends an operator’s key to that operator only', async () => {
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
  ])('returns the acceptance of the second operator after the first does not accept: %j', async (fault) => {
    const { server, bytes } = await start();
    const other = at === 'arc' ? 'arcade' : 'arc';
    const source = createTransactionSource(`${server.url}${WOC}`);
    const arc = createArcClient(`${server.url}/${at}`, { others: [`${server.url}/${other}`], source });
    await server.post('/faults', { at, faults: [fault] });
    expect(await arc.broadcast(toHex(bytes), txidOf(bytes))).toMatchObject({ txStatus: 'SEEN_ON_NETWORK' });
  });
});
