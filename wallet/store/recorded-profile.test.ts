/** Opens a wallet recorded with an earlier build, using the current code and no network. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MemoryDatabases } from '../../testkit/database/database.ts';
import { TestBrowser } from '../../testkit/wallet/browser.ts';
import { testPlatform } from '../../testkit/wallet/platform.ts';
import {
  RECORDED,
  RECORDED_AT,
  RECORDED_PASSWORD,
  RECORDED_SERVICE,
  RECORDED_WORDS,
  recordedDatabases,
} from '../../testkit/wallet/recorded-profile.ts';
import { pageHandlers } from '../page-handlers.ts';
import { createWallet, type Platform, type Wallet } from '../platform.ts';
import { start } from '../start.ts';
import { walletHandlers } from '../wallet-handlers.ts';

let databases: MemoryDatabases;
let wallet: Wallet;
const timers: NodeJS.Timeout[] = [];

beforeEach(async () => {
  databases = await recordedDatabases();
  wallet = createWallet({
    ...testPlatform(
      new TestBrowser().api(async (_name, call) => call()),
      RECORDED_SERVICE,
    ),
    openDatabase: databases.openDB as Platform['openDatabase'],
    deleteDatabase: databases.deleteDB as Platform['deleteDatabase'],
    keyRange: databases.keyRange,
    now: () => RECORDED_AT,
    fetch: () => Promise.reject(new TypeError('offline')),
    // Pending timers would otherwise fire during the next test.
    setTimeout: (run, ms) => {
      const timer = setTimeout(() => run(undefined), ms);
      timers.push(timer);
      return timer;
    },
  });
  start(wallet);
});
afterEach(() => timers.splice(0).forEach(clearTimeout));

const own = () => walletHandlers(wallet);
async function call(method: string, args: object): Promise<unknown> {
  const page = {
    origin: 'https://app.example',
    client: {},
    message: method,
    userActivation: 'none',
    isTop: true,
  } as const;
  return pageHandlers(wallet)['brc100/call']({ call: method, args: JSON.stringify(args) }, page);
}

test('a recorded wallet keeps its money, and can spend all of it', async () => {
  const { scan, historyLeft, ...overview } = RECORDED.overview;
  expect(await own()['wallet/overview']({})).toMatchObject({ ...overview, scan, historyLeft });
  const recipients = [{ to: overview.receiveAddress, amount: null, currency: 'BSV' }];
  const quote = await own()['send/quote']({ recipients });
  expect(quote).toMatchObject({ problem: null, totalSatoshis: overview.satoshis });
});

test('a recorded wallet keeps its history', async () => {
  const { items } = await own()['activity/list']({ limit: 100 });
  expect(items).toMatchObject(RECORDED.activity);
  const search = await own()['activity/list']({ limit: 100, search: 'rent' });
  expect(search.items.map(({ note }) => note)).toEqual(['rent']);
});

test('a recorded wallet keeps its allowances, permissions and blocked sites', async () => {
  expect((await own()['sites/list']({})).sites).toMatchObject(RECORDED.sites);
});

test('a recorded wallet keeps its contacts', async () => {
  expect((await own()['contacts/list']({})).contacts).toMatchObject(RECORDED.contacts);
});

test('a recorded wallet opens with its password, and has the same keys', async () => {
  await expect(own()['vault/unlock']({ password: 'another' })).rejects.toMatchObject({ code: 'wrong-password' });
  await own()['vault/unlock']({ password: RECORDED_PASSWORD });
  expect(await own()['vault/show-words']({ password: RECORDED_PASSWORD })).toEqual({ words: RECORDED_WORDS });
  expect(await call('getPublicKey', { identityKey: true })).toEqual({ result: { publicKey: RECORDED.publicKey } });
});

test('a recorded wallet keeps the baskets and actions of an application', async () => {
  await own()['vault/unlock']({ password: RECORDED_PASSWORD });
  const included = { includeTags: true, includeCustomInstructions: true, include: 'locking scripts' };
  expect(await call('listOutputs', { basket: 'tickets', ...included })).toMatchObject({ result: RECORDED.outputs });
  const labels = { labels: ['tickets'], includeLabels: true, includeOutputs: true };
  expect(await call('listActions', labels)).toMatchObject({ result: RECORDED.actions });
});
