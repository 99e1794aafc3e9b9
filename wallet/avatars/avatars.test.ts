/** Profile pictures: fetched through the service, validated, cached, and never requested by a page. */
import { expect, test, vi } from 'vitest';
import { testPng } from '../../protocol/http/testing-picture.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { openWallet } from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();
const PNG = testPng(32, 32, [1, 2, 3]).toString('base64');
const URL_OF = `data:image/png;base64,${PNG}`;
const DAY = 24 * 3_600_000;

const call = (workerRun: WorkerRun) => workerRun.modules.handlers.walletHandlers(wallet);
const fetched = async (workerRun: WorkerRun, paymail = 'bob@pay.example') =>
  (await call(workerRun)['avatars/fetch']({ paymail })).picture;
const kept = async (workerRun: WorkerRun, paymail = 'bob@pay.example') =>
  (await call(workerRun)['avatars/kept']({ paymail })).picture;
/** Backdates cached pictures. Advancing the clock would lock the wallet. */
async function age(workerRun: WorkerRun, ms: number): Promise<void> {
  const db = await workerRun.modules.database.database(wallet);
  const record = await db.get('avatars', 'bob@pay.example');
  if (record) await db.put('avatars', { ...record, askedAt: record.askedAt - ms });
}

test('a picture is requested from the service once and cached, regardless of how the paymail is capitalized, and reading the cache makes no request', async () => {
  network.avatar = { type: 'image/png', image: PNG };
  const workerRun = await openWallet(network, [], { account: true });
  expect(await kept(workerRun)).toBeNull();
  expect(network.avatarsAsked).toEqual([]);
  expect(await Promise.all([fetched(workerRun), fetched(workerRun, 'Bob@Pay.example')])).toEqual([URL_OF, URL_OF]);
  expect(await kept(workerRun)).toBe(URL_OF);
  expect(network.avatarsAsked).toEqual(['bob@pay.example']);
});

test('a picture is requested again after a week, while the old one is shown, and a missing picture is cached for a day', async () => {
  network.avatar = { type: 'image/png', image: PNG };
  const workerRun = await openWallet(network, [], { account: true });
  await fetched(workerRun);
  network.avatar = null;
  await age(workerRun, 8 * DAY);
  expect(await fetched(workerRun)).toBe(URL_OF);
  await vi.waitFor(async () => expect(await kept(workerRun)).toBeNull());
  network.avatar = { type: 'image/png', image: PNG };
  expect(await fetched(workerRun)).toBeNull();
  await age(workerRun, 2 * DAY);
  expect(await fetched(workerRun)).toBe(URL_OF);
});

test.each([
  ['no picture', { type: 'image/png', image: btoa('<svg xmlns="http://www.w3.org/2000/svg"/>') }],
  ['one with too many pixels', { type: 'image/png', image: testPng(1025, 1, [1, 2, 3]).toString('base64') }],
])(
  'a response is not stored as a picture, regardless of the type that the service reports: %s',
  async (_what, avatar) => {
    network.avatar = avatar;
    const workerRun = await openWallet(network, [], { account: true });
    expect(await fetched(workerRun)).toBeNull();
    expect(await kept(workerRun)).toBeNull();
  },
);

test('a request without a response is repeated the next time', async () => {
  network.avatar = { type: 'image/gif', image: PNG };
  const workerRun = await openWallet(network, [], { account: true });
  expect(await fetched(workerRun)).toBeNull();
  network.avatar = { type: 'image/png', image: PNG };
  expect(await fetched(workerRun)).toBe(URL_OF);
});

test('no request is made and nothing is shown without an account', async () => {
  network.avatar = { type: 'image/png', image: PNG };
  const workerRun = await openWallet(network, [], { account: true });
  await fetched(workerRun);
  await call(workerRun)['settings/change']({ noAccount: true });
  expect([await kept(workerRun), await fetched(workerRun, 'carol@pay.example')]).toEqual([null, null]);
  expect(network.avatarsAsked).toEqual(['bob@pay.example']);
});

test('a wallet that was removed in the meantime stores nothing', async () => {
  network.avatar = { type: 'image/png', image: PNG };
  const workerRun = await openWallet(network, [], { account: true });
  const db = await workerRun.modules.database.database(wallet);
  network.before = async (url) => {
    if (url === '/api/v2/me/avatars') await workerRun.modules.database.deleteKey(wallet, 'account');
  };
  await fetched(workerRun);
  expect(await db.count('avatars')).toBe(0);
});

test('at most 200 pictures are stored, and the oldest are removed', async () => {
  const workerRun = await openWallet(network, [], { account: true });
  const db = await workerRun.modules.database.database(wallet);
  for (let i = 0; i < 200; i += 1)
    await db.put('avatars', { paymail: `${i}@pay.example`, picture: null, service: network.url, askedAt: i });
  await fetched(workerRun);
  expect(await db.count('avatars')).toBe(200);
  expect([await db.get('avatars', '0@pay.example'), (await db.get('avatars', '1@pay.example'))?.askedAt]).toEqual([
    undefined,
    1,
  ]);
});

test('after a switch to another service, a picture comes from that one, even if a request to the previous one is still in progress', async () => {
  network.avatar = { type: 'image/png', image: PNG };
  const workerRun = await openWallet(network, [], { account: true });
  const serviceUrl = network.url.replace('127.0.0.1', 'localhost');
  const db = await workerRun.modules.database.database(wallet);
  let after: Promise<string | null> | undefined;
  network.before = async (url) => {
    if (url !== '/api/v2/me/avatars' || after) return;
    await call(workerRun)['settings/change']({ serviceUrl });
    await call(workerRun)['account/sign-in']({});
    after = fetched(workerRun);
  };
  await fetched(workerRun);
  expect([await after, network.avatarsAsked.length]).toEqual([URL_OF, 2]);
  expect((await db.get('avatars', 'bob@pay.example'))?.service).toBe(serviceUrl);
});
