import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createArcClient } from '../chain/arc-client.ts';
import { openStream } from '../chain/open-stream.ts';
import type { Fault } from '../devnet/arc/faults.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { txidOf } from '../../protocol/bitcoin/transaction.ts';
import { bytesOf, sendAll, testKey } from '../devnet/test-ledger.ts';
import { testServer, type TestServer } from '../devnet/test-server.ts';
import { followEvents, type EventsContext } from './follow-events.ts';

const TOKEN = 'token-of-ours';
const TXID = 'ab'.repeat(32);
const log = pino({ level: 'silent' });

function following(url: string, more: Partial<EventsContext> = {}) {
  const calls: (readonly string[])[] = [];
  const events = followEvents({
    followed: createArcClient(url).followed,
    token: TOKEN,
    checkSoon: async (txids) => void calls.push(txids),
    log,
    flushEveryMs: 5,
    retryMs: 5,
    ...more,
  });
  onTestFinished(() => events.stop());
  return { calls, events };
}

async function submitted(server: TestServer): Promise<string> {
  const owner = testKey();
  const { txid } = (await server.post('/faucet', { address: owner.address, satoshis: 10_000 })).body;
  const coin = { txid, vout: 0, satoshis: 10_000n, lockingScript: owner.script };
  const bytes = bytesOf(sendAll([coin], owner, testKey().script));
  const answer = await server.post('/arcade/tx', { rawTx: toHex(bytes) }, { 'X-CallbackToken': TOKEN });
  expect(answer.status).toBe(202);
  return txidOf(bytes);
}

const faulty = (server: TestServer, faults: Fault[]) => server.post('/faults', { at: 'arcade', faults });

describe('an Arcade operator’s event stream', () => {
  test.each<[string, Fault[]]>([
    ['works', []],
    ['breaks after each event', [{ name: 'events-break' }]],
    ['repeats each event', [{ name: 'events-repeat' }]],
    ['omits the proof', [{ name: 'events-without-proof' }]],
    ['is down at first', [{ name: 'events-down', times: 3 }]],
  ])('makes a payment due once it is mined, if it %s', async (_, faults) => {
    const server = await testServer();
    await faulty(server, faults);
    const { calls } = following(`${server.url}/arcade`);
    const txids: string[] = [];
    // Transactions mined before the stream is open aren't reported on it.
    await expect
      .poll(async () => {
        txids.push(await submitted(server));
        await server.post('/mine', { blocks: 1 });
        return calls.flat().some((txid) => txids.includes(txid));
      })
      .toBe(true);
  });

  test('resumes after the last event received', async () => {
    const asked: (string | undefined)[] = [];
    const frame = (id: number) => `id: ${id}\ndata: {"txid":"${TXID}","txStatus":"MINED"}\n\n`;
    const { url } = await operator((response, lastId) => {
      asked.push(lastId);
      response.end(frame(asked.length));
    });
    following(url);
    await expect.poll(() => asked.slice(0, 3)).toEqual([undefined, '1', '2']);
  });
});

async function operator(stream: (response: ServerResponse, lastId: string | undefined) => void) {
  const miningFee = { satoshis: 100, bytes: 1000 };
  const policy = { maxscriptsizepolicy: 1, maxtxsizepolicy: 1, maxtxsigopscountspolicy: 1, miningFee };
  const streams: string[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/policy')) return response.end(JSON.stringify({ policy }));
    if (!request.url?.startsWith('/events')) return response.writeHead(404).end('{}');
    streams.push(request.url);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    return stream(response, request.headers['last-event-id'] as string | undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, streams };
}

describe('a hostile operator’s event stream', () => {
  test('makes one endlessly repeated transaction due only occasionally', async () => {
    const frame = `id: 1\ndata: {"txid":"${TXID}","txStatus":"MINED"}\n\n`;
    let sent = 0;
    const { url } = await operator((response) => {
      const more = setInterval(() => {
        response.write(frame.repeat(100));
        sent += 100;
      }, 1);
      response.once('close', () => clearInterval(more));
    });
    const { calls } = following(url);
    await expect.poll(() => calls.length).toBeGreaterThan(2);
    expect(calls.every((txids) => txids.length === 1)).toBe(true);
    expect(sent).toBeGreaterThan(100 * calls.length);
  });

  test('passes on endless new transactions in bounded batches', async () => {
    let named = 0;
    const { url } = await operator((response) => {
      const frames = Array.from({ length: 5_000 }, () => {
        const txid = (named += 1).toString(16).padStart(64, '0');
        return `data: {"txid":"${txid}","txStatus":"MINED"}\n\n`;
      });
      response.write(frames.join(''));
    });
    const { calls } = following(url);
    await expect.poll(() => calls.length).toBeGreaterThan(0);
    expect(calls.every((txids) => txids.length <= 500)).toBe(true);
  });

  test('closes on an endless line, and is reopened', async () => {
    const { url, streams } = await operator((response) => {
      response.write('data: ');
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(100_000)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const { calls } = following(url);
    await expect.poll(() => streams.length).toBeGreaterThan(1);
    expect(calls).toEqual([]);
  });

  test('doesn’t delay the service’s shutdown by hanging', async () => {
    const { url, streams } = await operator((response) => response.write(': hello\n\n'));
    const { events } = following(url);
    await expect.poll(() => streams.length).toBe(1);
    await events.stop();
    expect(streams[0]).toContain(`callbackToken=${TOKEN}`);
  });

  test('closes if nothing arrives any more', async () => {
    const { url } = await operator((response) => response.write(': hello\n\n'));
    const { body } = await openStream(`${url}/events`, {}, new AbortController().signal, 20);
    const iterator = body?.[Symbol.asyncIterator]();
    expect((await iterator?.next())?.done).toBe(false);
    await expect(iterator?.next()).rejects.toThrow();
  });
});

test('an operator without an event stream makes no payments due', async () => {
  const server = await testServer();
  const { calls, events } = following(`${server.url}/arc`);
  await server.post('/mine', { blocks: 1 });
  await events.stop();
  expect(calls).toEqual([]);
});
