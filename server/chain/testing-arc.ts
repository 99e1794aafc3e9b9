/** A fake ARC with scripted responses, over real HTTP. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { ArcStatus } from '../../protocol/network/arc.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { txidOf } from '../../protocol/bitcoin/transaction.ts';
import { readEnvelope } from './envelope.ts';

export interface TestArc {
  url: string;
  statuses: Map<string, ArcStatus>;
  /** If set, every response has this status and an unexpected body. */
  fault: number | null;
  callbacks: { rawTx: string; url: string | undefined; token: string | undefined }[];
  refusesTransactions: boolean;
  requests: number;
  before: () => Promise<void>;
  close(): Promise<void>;
}

export async function startTestArc(arc = {} as TestArc): Promise<TestArc> {
  const app = express();
  app.use(async (_request, response, next) => {
    arc.requests += 1;
    await arc.before();
    if (arc.fault === null) next();
    else response.status(arc.fault).send('fault');
  });
  app.get('/v1/policy', (_request, response) => {
    response.json({
      policy: {
        maxscriptsizepolicy: 500_000,
        maxtxsizepolicy: 10_000_000,
        maxtxsigopscountspolicy: 1_000_000,
        miningFee: { satoshis: 50, bytes: 1000 },
      },
    });
  });
  app.post('/v1/tx', express.json({ limit: '25mb' }), (request, response) => {
    const { rawTx } = request.body as { rawTx: string };
    if (arc.refusesTransactions) {
      response.status(409).json({ status: 409, title: 'Generic error' });
      return;
    }
    arc.callbacks.push({ rawTx, url: request.get('X-CallbackUrl'), token: request.get('X-CallbackToken') });
    const bytes = readEnvelope(fromHex(rawTx)).candidates.at(-1)?.bytes ?? new Uint8Array();
    response.json({ txid: txidOf(bytes), txStatus: 'SEEN_ON_NETWORK', status: 200, title: 'OK' });
  });
  app.get('/v1/tx/:txid', (request, response) => {
    const txStatus = arc.statuses.get(request.params.txid);
    if (txStatus) response.json({ txid: request.params.txid, txStatus, timestamp: '2025-01-01T00:00:00Z' });
    else response.status(404).json({ status: 404, title: 'Not found' });
  });
  const server = app.listen(0, '127.0.0.1');
  server.keepAliveTimeout = 0; // Node's default (5 s) could close a connection that a busy client is about to reuse.
  await once(server, 'listening');
  return Object.assign<TestArc, TestArc>(arc, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    statuses: new Map(),
    fault: null,
    callbacks: [],
    refusesTransactions: false,
    requests: 0,
    before: async () => {},
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}
