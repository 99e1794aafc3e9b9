/** A test service over HTTP that uses the embedded ledger, and can make broadcasts fail. */
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
import { passDirectly, testFetch } from './in-process.ts';
import { networkAt, serviceAnswer } from './service.ts';
import { endAllWorkerRuns } from '../wallet/worker-run.ts';

/**
 * The fault to inject into one broadcast. `refused`: the transaction never arrives. `answer-lost`: ARC accepts it, but the response
 * is lost. `500`, `409`: ARC responds with this status. `409-taken`: ARC accepts the transaction, but responds with
 * 409. A number is the ARC status of a rejection.
 */
export type Fault = 'refused' | 'answer-lost' | '500' | '409-taken' | '409' | number;

export interface TestNetwork extends TestAccount {
  url: string;
  faults: Fault[];
  /**
   * Unavailable parts of the service. `memory`: ARC and the index report every transaction as unknown. `lists`: the
   * index doesn't support queries for several transactions or outputs.
   */
  down: Set<'arc' | 'woc' | 'service' | 'host' | 'memory' | 'lists'>;
  /** IDs of transactions unknown to ARC and the index. While this set isn't empty, the index reports no spenders. */
  hidden: Set<string>;
  /** Called before each request is handled. */
  before: (url: string) => Promise<void> | void;
  /** Overrides the ledger's fee policy unless null. */
  policy: { satoshis: number; bytes: number } | null;
  /** The service's price of one BSV, by currency. */
  rates: Record<string, string>;
  /** Overrides the index's response to exchange rate requests unless null. */
  exchangeRate: object | null;
  /** Number of proof requests that are answered as if the transaction were unconfirmed. */
  slowProofs: number;
  /** URLs of broadcast requests in order, including repetitions. */
  broadcasts: string[];
  /** Inputs of the wallet's broadcasts that the ledger doesn't have; null unless {@link expectKnownInputs} is used. */
  unknownInputs: string[] | null;
  reports: Map<string, unknown>;
  /** Deliveries to recipients' hosts, and payments that the service has received for the user. */
  arrivals: Arrivals;
  /** The service's storage for the log of applications' data. */
  appLog: AppLogService;
  faucet(address: string, satoshis: number): Promise<string>;
  mine(blocks?: number): Promise<void>;
  /**
   * Changes the unlocking scripts of an unconfirmed transaction with a version above 1, as third parties can.
   * @returns its new ID
   */
  alter(txid: string): Promise<string>;
  /**
   * Replaces an unconfirmed transaction with one that spends the same coins. A payer can do this with a miner's help.
   */
  replace(txid: string, bytes: Uint8Array): Promise<void>;
  /** Returns an address's unspent outputs as reported by the ledger's index. */
  unspent(address: string): Promise<{ txid: string; satoshis: number }[]>;
  /** Returns true if the ledger ever had a payment to the address. */
  isUsed(address: string): Promise<boolean>;
  reset(): void;
  close(): Promise<void>;
}

/** Default prices of one BSV, by currency. */
export const RATES = { USD: '50', EUR: '45' };

/**
 * Starts a network before a file's first test, and closes it after the last one. After each test, the network's
 * settings are reset and the worker run ends.
 * @returns an object that is filled in before the first test
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

/** Asserts after each test that the ledger had all inputs of the wallet's broadcasts. */
export function expectKnownInputs(network: TestNetwork): void {
  beforeEach(() => void (network.unknownInputs = []));
  afterEach(() => expect(network.unknownInputs).toEqual([]));
}

/** Header that marks the test's own requests, to which faults don't apply. */
const OWN_REQUEST = { 'x-of-test': '1' };

/** Settings that tests may change, with their initial values. */
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

/** Starts a network on a free port. @param network the object to fill in */
export async function startNetwork(network = {} as TestNetwork): Promise<TestNetwork> {
  const directory = await mkdtemp(path.join(tmpdir(), 'wallet-test-'));
  const devnet = await openDevnet({ directory, blockIntervalMs: 0 });
  const app = express();
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  passDirectly(url, server);

  /** Returns the inputs whose funding transactions the ledger doesn't have. */
  const unknownIn = async (rawTx: string): Promise<string[]> => {
    const isKnown = async ({ txid }: { txid: string }) =>
      (await testFetch(`${url}/devnet/woc/v1/bsv/test/tx/${txid}/hex`, { headers: OWN_REQUEST })).ok;
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
    // Only the wallet sends this header. Inputs of the tests' own broadcasts may be unknown.
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
    // The ledger accepts the transaction, but its response is lost or replaced.
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
    // The wallet may call this host by a different name. The wallet's clock runs fast, so rates with the current time
    // would seem old.
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
    const answer = await testFetch(`${url}${at}`, {
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
      const answer = await testFetch(`${url}/devnet/woc/v1/bsv/test/address/${address}/unspent/all`);
      const { result } = (await answer.json()) as {
        result: { tx_hash: string; value: number; isSpentInMempoolTx: boolean }[];
      };
      return result.filter((u) => !u.isSpentInMempoolTx).map((u) => ({ txid: u.tx_hash, satoshis: u.value }));
    },
    async isUsed(address) {
      return (await (await testFetch(`${url}/devnet/woc/v1/bsv/test/address/${address}/used`)).json()) as boolean;
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
