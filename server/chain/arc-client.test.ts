import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createArcClient, type ArcClient } from './arc-client.ts';

const TXID = 'ab'.repeat(32);
const unavailable = expect.objectContaining({ code: 'network-unavailable' }) as Error;

describe('a broadcast', () => {
  /** What it answers: status and body of POST /v1/tx, and the status that GET /v1/tx/{txid} tells, null for 404. */
  let posted: { status: number; body: unknown };
  let known: string | null;
  let asked: unknown[];
  let arc: ArcClient;
  const app = express();
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
    ['too many requests', 429, {}],
    ['another transaction', 200, { txid: 'cd'.repeat(32), txStatus: 'MINED' }],
    ['no transaction', 200, {}],
    ['an unknown status', 200, { txid: TXID, txStatus: 'FINE' }],
  ])('that %s answers has an unknown end', async (_, status, body) => {
    await expect(broadcast(status, body, 'MINED')).rejects.toThrow(unavailable);
  });
});
