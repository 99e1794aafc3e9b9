/** A service on HTTP with the embedded ledger behind it, whose broadcasts can be made to fail in given ways. */
import express from 'express';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import { openDevnet } from '../../server/devnet/devnet.ts';
import { accountSettings, serveAccount, type TestAccount } from './account.ts';
import { AppLogService } from './app-log-service.ts';
import { Arrivals } from '../wallet/arrivals.ts';
import { rawOf } from './blocks.ts';
import { networkAt, serviceAnswer } from './service.ts';
import { endAllWorkerRuns } from '../wallet/worker-run.ts';

/**
 * The fault of one broadcast: nothing arrives; it is accepted but the response is lost; ARC responds 500, or 409
 * (already known) after accepting it or without; or a status of ARC's own by its number, without accepting it.
 */
export type Fault = 'refused' | 'answer-lost' | '500' | '409-taken' | '409' | number;

/** The test's view of it. */
export interface TestNetwork extends TestAccount {
  url: string;
  /** Faults of the next broadcasts, in order. */
  faults: Fault[];
  /**
   * Parts of the service that are down. `memory`: neither ARC nor the index knows any transaction. `lists`: the index
   * has no lists of several transactions or outputs.
   */
  down: Set<'arc' | 'woc' | 'service' | 'host' | 'memory' | 'lists'>;
  /** Transactions (ids) unknown to ARC and index. While there are any, the index knows no spender. */
  hidden: Set<string>;
  /** Called before any request is answered. */
  before: (url: string) => Promise<void> | void;
  /** The ledger's fee policy, if other than its own. */
  policy: { satoshis: number; bytes: number } | null;
  /** The service's price of one BSV, by currency. */
  rates: Record<string, string>;
  /** The index's response for the dollar's rate, if other than the ledger's own. */
  exchangeRate: object | null;
  /** This many requests for a proof are answered as if there were none yet. */
  slowProofs: number;
  /** Broadcast transactions in order, including repetitions. */
  broadcasts: string[];
  /** Unknown inputs of the wallet's broadcasts, while {@link expectKnownInputs} checks them; else null. */
  unknownInputs: string[] | null;
  reports: Map<string, unknown>;
  /** Transactions for recipients' hosts, and those received for the wallet. */
  arrivals: Arrivals;
  /** The service's log of applications' data. */
  appLog: AppLogService;
  faucet(address: string, satoshis: number): Promise<string>;
  mine(blocks?: number): Promise<void>;
  /** A third party changes an unconfirmed transaction of a version above 1. Returns its new id. */
  alter(txid: string): Promise<string>;
  /** A payer and a miner replace an unconfirmed transaction by another one that spends the same coins. */
  replace(txid: string, bytes: Uint8Array): Promise<void>;
  /** Unspent outputs of an address, as the ledger's own index returns them. */
  unspent(address: string): Promise<{ txid: string; satoshis: number }[]>;
  /** Whether the ledger ever had a transaction that pays it. */
  isUsed(address: string): Promise<boolean>;
  reset(): void;
  close(): Promise<void>;
}

// The test's own requests don't belong to any run of the worker.
const ownFetch = globalThis.fetch;

/** The default price of one BSV. */
export const RATES = { USD: '50', EUR: '45' };

/**
 * The network of a file's tests: it starts before the first and ends after the last. After each, its settings are
 * reset, and no run of the worker continues.
 * @returns filled in once the tests begin
 */
export function useNetwork(): TestNetwork {
  const network = {} as TestNetwork;
  beforeAll(async () => void (await startNetwork(network)));
  afterEach(() => {
    network.reset();
    endAllWorkerRuns();
  });
  afterAll(() => network.close());
  return network;
}

/** Checks after each of a file's tests that no broadcast of the wallet had an input that the ledger didn't know. */
export function expectKnownInputs(network: TestNetwork): void {
  beforeEach(() => void (network.unknownInputs = []));
  afterEach(() => expect(network.unknownInputs).toEqual([]));
}

/** Marks the test's own requests, which are exempt from faults. */
const OWN_REQUEST = { 'x-of-test': '1' };

/** The settings that a test may change, with their initial values. */
const settings = () => ({
  faults: [],
  policy: null,
  rates: RATES,
  exchangeRate: null,
  slowProofs: 0,
  broadcasts: [],
  ...accountSettings(),
  before: () => undefined,
});

/** Starts one on a free port, in the given object or a new one. */
export async function startNetwork(network = {} as TestNetwork): Promise<TestNetwork> {
  const directory = await mkdtemp(path.join(tmpdir(), 'wallet-test-'));
  const devnet = await openDevnet({ directory, blockIntervalMs: 0 });
  const app = express();
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** The inputs of a transaction whose own transactions the ledger does not have. */
  const unknownIn = async (rawTx: string): Promise<string[]> => {
    const isKnown = async ({ txid }: { txid: string }) =>
      (await ownFetch(`${url}/devnet/woc/v1/bsv/test/tx/${txid}/hex`, { headers: OWN_REQUEST })).ok;
    const { inputs } = parseTransactionHex(rawTx);
    const known = await Promise.all(inputs.map(isKnown));
    return inputs.flatMap(({ txid, vout }, i) => (known[i] ? [] : `${txid}:${vout}`));
  };

  app.use(async (request, response, next) => {
    if ('x-of-test' in request.headers) return next();
    await network.before(request.url);
    const part = request.url.startsWith('/devnet/arc')
      ? 'arc'
      : request.url.startsWith('/devnet/woc')
        ? 'woc'
        : request.url.startsWith('/elsewhere')
          ? 'host'
          : 'service';
    const isHidden =
      network.hidden.size > 0 &&
      (request.url.endsWith('/spent') || network.hidden.has(/\/tx\/([0-9a-f]{64})/.exec(request.url)?.[1] ?? ''));
    if (isHidden || (network.down.has('memory') && /\/tx\/[0-9a-f]{64}/.test(request.url))) response.status(404).end();
    else if (
      (network.down.has('lists') || network.down.has('memory')) &&
      /\/(?:txs\/status|utxos\/spent)$/.test(request.url)
    )
      response.status(404).end();
    else if (network.down.has(part)) request.socket.destroy();
    else next();
    return undefined;
  });
  app.get('/devnet/arc/v1/policy', (_request, response, next) => {
    if (!network.policy) return next();
    return response.json({
      timestamp: '',
      policy: {
        maxscriptsizepolicy: 500_000,
        maxtxsizepolicy: 10_000_000,
        maxtxsigopscountspolicy: 1,
        miningFee: network.policy,
      },
    });
  });
  app.get('/devnet/woc/v1/bsv/test/exchangerate', (_request, response, next) =>
    network.exchangeRate ? response.json(network.exchangeRate) : next(),
  );
  app.get('/devnet/woc/v1/bsv/test/tx/:txid/proof/tsc', (_request, response, next) => {
    if (network.slowProofs <= 0) return next();
    network.slowProofs -= 1;
    return response.status(404).end();
  });
  app.post('/devnet/arc/v1/tx', express.json({ limit: '25mb' }), async (request, response, next) => {
    // The wallet waits for the nodes. A test that broadcasts without it does not.
    if (network.unknownInputs && 'x-waitfor' in request.headers)
      network.unknownInputs.push(...(await unknownIn(rawOf((request.body as { rawTx: string }).rawTx))));
    network.broadcasts.push(request.url);
    const fault = network.faults.shift();
    if (fault === undefined) return next();
    if (fault === 'refused') return void request.socket.destroy();
    if (fault === '500') return response.status(500).json({ error: 'down' });
    if (fault === '409') return response.status(409).json({ status: 409, title: 'Generic error', txid: null });
    if (typeof fault === 'number')
      return response.status(fault).json({ status: fault, title: 'Refused', detail: 'as the test wants', txid: null });
    // The ledger accepts it. Only its response is lost or replaced.
    const end = response.end.bind(response);
    response.end = ((...args: Parameters<typeof end>) => {
      if (fault === 'answer-lost') {
        request.socket.destroy();
        return response;
      }
      response.statusCode = 409;
      response.removeHeader('content-length');
      args[0] = JSON.stringify({ status: 409, title: 'Generic error', detail: 'already known' }) as never;
      return end(...args);
    }) as typeof response.end;
    return next();
  });
  app.use('/devnet', devnet.router);
  const arrivals = new Arrivals();
  const appLog = new AppLogService();
  arrivals.serve(app);
  app.use(express.json({ limit: '25mb' }));
  app.use((request, response, next) => {
    if (request.path === '/api/v2/payments' && network.refuseReports !== null)
      return response.status(400).json({ error: { code: network.refuseReports, message: '' } });
    // It may be called by another name of this machine. The wallet's clock may run faster than the real one.
    const service = {
      origin: `http://${request.headers.host}`,
      domain: 'localhost',
      rates: network.rates,
      reports: network.reports,
      ratesAt: Date.UTC(2100),
      now: Date.UTC(2026),
      nonce: randomUUID,
    };
    const body = JSON.stringify(request.body ?? null);
    const said =
      request.path === '/api/v2/network'
        ? networkAt(`${url}/devnet/arc`, `${url}/devnet/woc/v1/bsv/test`)
        : (appLog.answer(request.method, request.url, body) ?? serviceAnswer(service, request.path, body));
    return said ? response.status(said.status ?? 200).json(said.body) : next();
  });

  serveAccount(app, network);

  async function post(at: string, body: unknown): Promise<unknown> {
    const answer = await ownFetch(`${url}${at}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
  return Object.assign<TestNetwork, TestNetwork>(network, {
    ...settings(),
    url,
    down: new Set(),
    hidden: new Set(),
    unknownInputs: null,
    reports: new Map(),
    arrivals,
    appLog,
    faucet: async (address, satoshis) =>
      ((await post('/devnet/faucet', { address, satoshis })) as { txid: string }).txid,
    async mine(blocks = 1) {
      await post('/devnet/mine', { blocks });
    },
    alter: (txid) => devnet.alter(txid),
    replace: (txid, bytes) => devnet.replace(txid, bytes),
    async unspent(address) {
      const answer = await ownFetch(`${url}/devnet/woc/v1/bsv/test/address/${address}/unspent/all`);
      const { result } = (await answer.json()) as {
        result: { tx_hash: string; value: number; isSpentInMempoolTx: boolean }[];
      };
      return result.filter((u) => !u.isSpentInMempoolTx).map((u) => ({ txid: u.tx_hash, satoshis: u.value }));
    },
    async isUsed(address) {
      return (await (await ownFetch(`${url}/devnet/woc/v1/bsv/test/address/${address}/used`)).json()) as boolean;
    },
    reset() {
      Object.assign(network, settings());
      network.down.clear();
      network.hidden.clear();
      arrivals.reset();
      appLog.reset();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await devnet.close();
      await rm(directory, { recursive: true, force: true });
    },
  });
}
