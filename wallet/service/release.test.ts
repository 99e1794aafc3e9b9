/** Tests where and how often the wallet checks for newer versions, and how far it trusts the response. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PASSWORD } from '../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let server: Server;
let service: string;
let asked: IncomingMessage[];
let answer: RequestListener;
let now: number;

beforeEach(async () => {
  asked = [];
  answer = offer('0.2.0');
  server = createServer((request, response) => {
    if (request.url?.includes('release')) asked.push(request);
    if (request.url?.includes('release')) answer(request, response);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  now = Date.UTC(2026, 0, 1);
});
afterEach(async () => {
  endAllWorkerRuns();
  server.closeAllConnections();
  server.close();
});

/** Returns a service that offers this wallet version. */
function offer(version: unknown): RequestListener {
  return (_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ version }));
  };
}
const release = () => import('./release.ts');

/** Starts a wallet with version 0.1.0, by default loaded from a folder. */
async function start(installType: Profile['browser']['installType'] = 'development'): Promise<WorkerRun> {
  const profile = new Profile(service);
  profile.browser.installType = installType;
  const workerRun = await run(profile);
  const { vault, words } = workerRun.modules;
  await vault.createVault(wallet, words.freshWords(), PASSWORD, false);
  return workerRun;
}

/** Starts a worker with a clock controlled by the test. */
async function run(profile: Profile): Promise<WorkerRun> {
  const workerRun = await profile.start();
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  return workerRun;
}

test('a newer version is requested once a day, without data of the wallet, and shown with a link to the service', async () => {
  await start();
  const { fetchRelease, availableUpdate } = await release();
  expect(await availableUpdate(wallet)).toBeNull();
  await Promise.all([fetchRelease(wallet), fetchRelease(wallet)]);
  expect(await availableUpdate(wallet)).toEqual({ version: '0.2.0', url: `${service}/#wallet` });
  now += DAY - 1;
  await fetchRelease(wallet);
  expect(asked).toHaveLength(1);
  now += 1;
  await fetchRelease(wallet);
  expect(asked).toHaveLength(2);
  for (const { method, url, headers } of asked) {
    expect([method, url]).toEqual(['GET', '/api/v2/wallet-release']);
    const { host, connection, accept, ...others } = headers;
    expect([host, accept]).toEqual([new URL(service).host, 'application/json']);
    // Headers that Node's fetch adds by itself. They contain no token, cookie, version or origin.
    const usual = ['accept-language', 'sec-fetch-mode', 'user-agent', 'accept-encoding', 'cache-control', 'pragma'];
    expect(Object.keys(others).filter((name) => !usual.includes(name))).toEqual([]);
  }
});

test('the alarm that searches for coins also sends the request', async () => {
  const workerRun = await start();
  workerRun.browserApi.events.onAlarm.tell({ name: 'receive' });
  await vi.waitFor(async () => expect(await (await release()).availableUpdate(wallet)).not.toBeNull());
  expect((await workerRun.modules.overview.overview(wallet)).update).toEqual({
    version: '0.2.0',
    url: `${service}/#wallet`,
  });
});

test('a restart of the worker neither loses the response nor repeats the request', async () => {
  const workerRun = await start();
  await (await release()).fetchRelease(wallet);
  workerRun.end();
  await run(workerRun.profile);
  const { fetchRelease, availableUpdate } = await release();
  await fetchRelease(wallet);
  expect(asked).toHaveLength(1);
  expect(await availableUpdate(wallet)).toMatchObject({ version: '0.2.0' });
});

test('a worker killed during the request does not repeat it immediately, but within the hour', async () => {
  let arrived: () => void = () => {};
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  answer = () => arrived();
  const workerRun = await start();
  void (await release()).fetchRelease(wallet);
  await arrival;
  workerRun.end();
  answer = offer('0.2.0');
  await run(workerRun.profile);
  const { fetchRelease, availableUpdate } = await release();
  await fetchRelease(wallet);
  expect(asked).toHaveLength(1);
  now += HOUR;
  await fetchRelease(wallet);
  expect([asked.length, await availableUpdate(wallet)]).toMatchObject([2, { version: '0.2.0' }]);
});

test('an unreachable service is retried after an hour, and its earlier response stays valid', async () => {
  await start();
  const { fetchRelease, availableUpdate } = await release();
  await fetchRelease(wallet);
  answer = (request) => request.socket.destroy();
  now += DAY;
  await fetchRelease(wallet);
  await fetchRelease(wallet);
  expect(asked).toHaveLength(2);
  expect(await availableUpdate(wallet)).toMatchObject({ version: '0.2.0' });
  now += HOUR;
  answer = offer('0.3.0');
  await fetchRelease(wallet);
  expect(await availableUpdate(wallet)).toMatchObject({ version: '0.3.0' });
});

test.each<[string, RequestListener]>([
  ['the same version', offer('0.1.0')],
  ['an older version', offer('0.0.9')],
  ['a word', offer('newer')],
  ['markup', offer('<a href="https://evil.example">1</a>')],
  ['a number', offer(2)],
  ['a number without end', offer('9'.repeat(900))],
  ['nothing that is JSON', (_request, response) => void response.end('0.2.0')],
  ['a page that does not exist', (_request, response) => void response.writeHead(404).end('{"version":"0.2.0"}')],
  ['a redirect', (_request, response) => void response.writeHead(302, { Location: 'https://evil.example/' }).end()],
  ['megabytes', (_request, response) => void response.end(`{"version":"0.2.0","x":"${'x'.repeat(5_000_000)}"}`)],
])('%s shows nothing', async (_, listener) => {
  answer = listener;
  await start();
  const { fetchRelease, availableUpdate } = await release();
  await fetchRelease(wallet);
  expect([asked.length, await availableUpdate(wallet)]).toEqual([1, null]);
});

test('only a version is read from the response, and the link is the service’s own', async () => {
  answer = (_request, response) =>
    void response.end('{"version":"65535.0.0.1","url":"https://evil.example/","message":"Send your words"}');
  await start();
  const { fetchRelease, availableUpdate } = await release();
  await fetchRelease(wallet);
  expect(await availableUpdate(wallet)).toEqual({ version: '65535.0.0.1', url: `${service}/#wallet` });
});

test.each(['normal', 'admin', 'sideload'] as const)('a wallet of the kind %s sends no request', async (installType) => {
  const workerRun = await start(installType);
  const { fetchRelease, availableUpdate } = await release();
  await fetchRelease(wallet);
  expect([asked.length, await availableUpdate(wallet)]).toEqual([0, null]);
  // The newer version isn't shown either if it was found before the wallet was installed from a store.
  workerRun.profile.browser.installType = 'development';
  await fetchRelease(wallet);
  expect(await availableUpdate(wallet)).not.toBeNull();
  workerRun.profile.browser.installType = installType;
  expect(await availableUpdate(wallet)).toBeNull();
});

test('nothing is requested before a wallet is set up', async () => {
  const profile = new Profile(service);
  profile.browser.installType = 'development';
  await run(profile);
  await (await release()).fetchRelease(wallet);
  expect(asked).toHaveLength(0);
});

test('another service is queried for its own version, and the previous service’s response is no longer shown', async () => {
  await start();
  const { fetchRelease, availableUpdate } = await release();
  await fetchRelease(wallet);
  const { writeSettings } = await import('../settings.ts');
  const other = service.replace('127.0.0.1', 'localhost');
  await writeSettings(wallet, { serviceUrl: other });
  expect(await availableUpdate(wallet)).toBeNull();
  answer = offer('0.4.0');
  await fetchRelease(wallet);
  expect(asked.at(-1)?.headers.host).toBe(new URL(other).host);
  expect(await availableUpdate(wallet)).toEqual({ version: '0.4.0', url: `${other}/#wallet` });
});

test('a clock that is set back does not stop the requests', async () => {
  await start();
  const { fetchRelease } = await release();
  await fetchRelease(wallet);
  now -= 365 * DAY;
  await fetchRelease(wallet);
  expect(asked).toHaveLength(2);
});

test('nothing is shown once the newer version is installed', async () => {
  const workerRun = await start();
  const { fetchRelease, availableUpdate } = await release();
  await fetchRelease(wallet);
  workerRun.browserApi.runtime.getManifest = () => ({ version: '0.2.0' });
  expect(await availableUpdate(wallet)).toBeNull();
});

test('a wallet that is removed during the request stores nothing', async () => {
  const workerRun = await start();
  const { fetchRelease } = await release();
  const { database, readKey } = await import('../store/database.ts');
  answer = (request, response) => {
    void database(wallet)
      .then((db) => db.clear('keyval'))
      .then(() => offer('0.2.0')(request, response));
  };
  await fetchRelease(wallet);
  expect([asked.length, await readKey(wallet, 'release')]).toEqual([1, undefined]);
  workerRun.end();
});
