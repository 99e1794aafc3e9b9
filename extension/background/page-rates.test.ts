import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDevnet } from '../../server/devnet/devnet.ts';
import { endAllLives, type Life } from './testing/life.ts';
import { startNetwork, type TestNetwork } from './testing/network.ts';
import { give, openWallet } from './testing/wallet.ts';

let network: TestNetwork;
let asked: string[] = [];
beforeAll(async () => {
  network = await startNetwork(openDevnet);
});
afterAll(() => network.close());
afterEach(() => {
  network.reset();
  endAllLives();
});

const SITE = 'https://shop.example';
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: { code?: string }) => error.code ?? error,
  );

async function wallet(satoshis: number[] = []): Promise<Life> {
  const life = await openWallet(network, satoshis);
  await life.modules.database.deleteKey('rates');
  asked = [];
  network.before = (url) => void asked.push(url);
  return life;
}

test('a page learns prices and the fee, in the asked and the user’s own currency, from one look at the table', async () => {
  const life = await wallet();
  await life.modules.handlers.walletHandlers['settings/change']({ currency: 'EUR' });
  const rates = await life.modules.rates.pageRates('USD', SITE);
  expect(rates).toEqual({
    currency: 'EUR',
    prices: { BSV: '1', USD: '50', EUR: '45' },
    feeRate: { satoshis: 100, bytes: 1000 },
    time: expect.any(Number),
  });
  expect(rates.time).toBeLessThanOrEqual(Date.now());
  await life.modules.rates.pageRates('USD', SITE);
  await life.modules.rates.pageRates('BSV', SITE);
  expect(asked.filter((url) => url === '/api/v2/rates')).toHaveLength(1);
  expect(asked.filter((url) => /address|tx\b|unspent/.test(url))).toEqual([]);
});

test('who the user is, is told to a site that has an allowance of theirs, and to no other', async () => {
  const life = await openWallet(network, [], { account: true });
  const read = async (origin: string) => (await life.modules.rates.pageRates('USD', origin)).payer;
  expect(await read(SITE)).toBeUndefined();
  await give(life, { origin: SITE, clientIdentifier: 'app' });
  expect(await read(SITE)).toEqual({ userId: '75101', paymail: 'alice@localhost' });
  for (const other of [`${SITE}:444`, 'https://shop.exampl', 'https://shop.example.org', 'http://shop.example'])
    expect(await read(other), other).toBeUndefined();
  await life.modules.database.deleteKey('account');
  expect(await read(SITE)).toBeUndefined();
});

test('the time is that of the older price', async () => {
  const life = await wallet();
  const now = Date.now();
  await life.modules.database.writeKey('rates', {
    service: { prices: { USD: '50', EUR: '45' }, time: now - 1000 },
    index: { price: '50', time: now - 20_000 },
    askedAt: now,
  });
  expect((await life.modules.rates.pageRates('EUR', SITE)).time).toBe(now - 20_000);
});

test('while the sources of the rate differ no price of a currency is told: that of coins, and the fee, are', async () => {
  const life = await wallet();
  const now = Date.now();
  await life.modules.database.writeKey('rates', {
    service: { prices: { USD: '50', EUR: '45' }, time: now },
    index: { price: '60', time: now },
    askedAt: now,
  });
  expect(await codeOf(life.modules.rates.pageRates('EUR', SITE))).toBe('rates-differ');
  expect(await life.modules.rates.pageRates('BSV', SITE)).toMatchObject({
    currency: 'USD',
    prices: { BSV: '1' },
    feeRate: { satoshis: 100, bytes: 1000 },
  });
  expect(Object.keys((await life.modules.rates.pageRates('BSV', SITE)).prices)).toEqual(['BSV']);
});

test('it is the same whatever the user has, locked or not, and opens nothing', async () => {
  const rich = await wallet([5_000_000]);
  await rich.modules.vault.lock();
  const { time: one, ...before } = await rich.modules.rates.pageRates('USD', SITE);
  expect(rich.profile.browser.windowsOpened).toBe(0);
  endAllLives();
  const poor = await wallet();
  const { time: two, ...after } = await poor.modules.rates.pageRates('USD', SITE);
  expect(after).toEqual(before);
  expect([one, two].every(Number.isFinite)).toBe(true);
});

test('where the user’s own currency has no price the asked one is told all the same', async () => {
  const life = await wallet();
  await life.modules.handlers.walletHandlers['settings/change']({ currency: 'INR' });
  expect(await life.modules.rates.pageRates('USD', SITE)).toMatchObject({
    currency: 'INR',
    prices: { USD: '50', BSV: '1' },
  });
});

test('what cannot be told has a code', async () => {
  const life = await wallet();
  expect(await codeOf(life.modules.rates.pageRates('ZZZ', SITE))).toBe('invalid-currency');
  network.down.add('arc');
  const { policy: _old, ...known } = (await life.modules.database.readKey('network')) ?? {};
  await life.modules.database.writeKey('network', known);
  expect(await codeOf(life.modules.rates.pageRates('USD', SITE))).toBe('network-unavailable');
  network.down.add('service').add('woc');
  await life.modules.database.deleteKey('rates');
  expect(await codeOf(life.modules.rates.pageRates('USD', SITE))).toBe('rate-unavailable');
  await life.modules.database.deleteKey('vault');
  expect(await codeOf(life.modules.rates.pageRates('USD', SITE))).toBe('wallet-not-set-up');
});
