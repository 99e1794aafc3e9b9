import { expect, test } from 'vitest';
import { codeOf } from '../testing/code-of.ts';
import { endAllWorkerRuns, type WorkerRun } from '../testkit/wallet/worker-run.ts';
import { useNetwork } from '../testkit/network/network.ts';
import { give, openWallet } from '../testkit/wallet/wallet.ts';
import { wallet as current } from '../testkit/wallet/current.ts';

const network = useNetwork();
let asked: string[] = [];

const SITE = 'https://shop.example';

async function wallet(satoshis: number[] = []): Promise<WorkerRun> {
  const workerRun = await openWallet(network, satoshis);
  await workerRun.modules.database.deleteKey(current, 'rates');
  asked = [];
  network.before = (url) => void asked.push(url);
  return workerRun;
}

test('a page gets prices and the fee, in the requested and the user’s own currency, from one read of the table', async () => {
  const workerRun = await wallet();
  await workerRun.modules.handlers.walletHandlers(current)['settings/change']({ currency: 'EUR' });
  const rates = await workerRun.modules.rates.pageRates(current, 'USD', SITE);
  expect(rates).toEqual({
    currency: 'EUR',
    prices: { BSV: '1', USD: '50', EUR: '45' },
    feeRate: { satoshis: 100, bytes: 1000 },
    time: expect.any(Number),
  });
  expect(rates.time).toBeLessThanOrEqual(Date.now());
  await workerRun.modules.rates.pageRates(current, 'USD', SITE);
  await workerRun.modules.rates.pageRates(current, 'BSV', SITE);
  expect(asked.filter((url) => url === '/api/v2/rates')).toHaveLength(1);
  expect(asked.filter((url) => /address|tx\b|unspent/.test(url))).toEqual([]);
});

test('the user’s ID is sent only to a site with an allowance', async () => {
  const workerRun = await openWallet(network, [], { account: true });
  const read = async (origin: string) => (await workerRun.modules.rates.pageRates(current, 'USD', origin)).payer;
  expect(await read(SITE)).toBeUndefined();
  await give(workerRun, { origin: SITE, clientIdentifier: 'app' });
  expect(await read(SITE)).toEqual({ userId: '75101', paymail: 'alice@localhost', service: network.url });
  for (const other of [`${SITE}:444`, 'https://shop.exampl', 'https://shop.example.org', 'http://shop.example'])
    expect(await read(other), other).toBeUndefined();
  await workerRun.modules.database.deleteKey(current, 'account');
  expect(await read(SITE)).toBeUndefined();
});

test('the time is that of the older price', async () => {
  const workerRun = await wallet();
  const now = Date.now();
  await workerRun.modules.database.writeKey(current, 'rates', {
    service: { prices: { USD: '50', EUR: '45' }, time: now - 1000 },
    index: { price: '50', time: now - 20_000 },
    askedAt: now,
  });
  expect((await workerRun.modules.rates.pageRates(current, 'EUR', SITE)).time).toBe(now - 20_000);
});

test('while the sources of the rate differ, only the price in BSV and the fee are returned', async () => {
  const workerRun = await wallet();
  const now = Date.now();
  await workerRun.modules.database.writeKey(current, 'rates', {
    service: { prices: { USD: '50', EUR: '45' }, time: now },
    index: { price: '60', time: now },
    askedAt: now,
  });
  expect(await codeOf(workerRun.modules.rates.pageRates(current, 'EUR', SITE))).toBe('rates-differ');
  expect(await workerRun.modules.rates.pageRates(current, 'BSV', SITE)).toMatchObject({
    currency: 'USD',
    prices: { BSV: '1' },
    feeRate: { satoshis: 100, bytes: 1000 },
  });
  expect(Object.keys((await workerRun.modules.rates.pageRates(current, 'BSV', SITE)).prices)).toEqual(['BSV']);
});

test('the result is independent of the wallet’s contents and lock, and no window opens', async () => {
  const rich = await wallet([5_000_000]);
  await rich.modules.vault.lock(current);
  const { time: one, ...before } = await rich.modules.rates.pageRates(current, 'USD', SITE);
  expect(rich.profile.browser.windowsOpened).toBe(0);
  endAllWorkerRuns();
  const poor = await wallet();
  const { time: two, ...after } = await poor.modules.rates.pageRates(current, 'USD', SITE);
  expect(after).toEqual(before);
  expect([one, two].every(Number.isFinite)).toBe(true);
});

test('if the user’s own currency has no price, the requested one is still returned', async () => {
  const workerRun = await wallet();
  await workerRun.modules.handlers.walletHandlers(current)['settings/change']({ currency: 'INR' });
  expect(await workerRun.modules.rates.pageRates(current, 'USD', SITE)).toMatchObject({
    currency: 'INR',
    prices: { USD: '50', BSV: '1' },
  });
});

test('an unavailable price has an error code', async () => {
  const workerRun = await wallet();
  expect(await codeOf(workerRun.modules.rates.pageRates(current, 'ZZZ', SITE))).toBe('invalid-currency');
  network.down.add('arc');
  const { policy: _old, ...known } = (await workerRun.modules.database.readKey(current, 'network')) ?? {};
  await workerRun.modules.database.writeKey(current, 'network', known);
  expect(await codeOf(workerRun.modules.rates.pageRates(current, 'USD', SITE))).toBe('network-unavailable');
  network.down.add('service').add('woc');
  await workerRun.modules.database.deleteKey(current, 'rates');
  expect(await codeOf(workerRun.modules.rates.pageRates(current, 'USD', SITE))).toBe('rate-unavailable');
  await workerRun.modules.database.deleteKey(current, 'vault');
  expect(await codeOf(workerRun.modules.rates.pageRates(current, 'USD', SITE))).toBe('wallet-not-set-up');
});

test('a site that the user has blocked gets neither the user’s ID nor the remainder of its allowance', async () => {
  const workerRun = await openWallet(network, [], { account: true });
  await give(workerRun, { origin: SITE, clientIdentifier: 'app' });
  const left = async () => (await import('./allowances/allowance-store.ts')).allowanceLeft(current, SITE, 'app');
  expect((await workerRun.modules.rates.pageRates(current, 'USD', SITE)).payer).toBeDefined();
  expect(await left()).toMatchObject({ currency: 'USD' });
  await workerRun.modules.sites.setBlock(current, SITE, Number.MAX_SAFE_INTEGER);
  expect((await workerRun.modules.rates.pageRates(current, 'USD', SITE)).payer).toBeUndefined();
  expect(await codeOf(left())).toBe('site-blocked');
});

test('a site gets no user ID if the user blocks it, revokes its allowance or leaves the account while the wallet waits for the fee', async () => {
  const leaving: Record<string, (workerRun: WorkerRun) => Promise<unknown>> = {
    block: (workerRun) => workerRun.modules.sites.setBlock(current, SITE, Number.MAX_SAFE_INTEGER),
    leave: (workerRun) => workerRun.modules.handlers.walletHandlers(current)['settings/change']({ noAccount: true }),
    revoke: async (workerRun) => (await workerRun.modules.database.database(current)).clear('allowances'),
  };
  for (const [name, leave] of Object.entries(leaving)) {
    const workerRun = await openWallet(network, [], { account: true });
    await give(workerRun, { origin: SITE, clientIdentifier: 'app' });
    await workerRun.modules.database.deleteKey(current, 'network');
    let isLeft = false;
    network.before = async (url) => {
      if (!url.includes('/policy') || isLeft) return;
      isLeft = true;
      await leave(workerRun);
    };
    const { payer } = await workerRun.modules.rates.pageRates(current, 'USD', SITE);
    expect({ name, isLeft, payer }).toEqual({ name, isLeft: true, payer: undefined });
  }
});
