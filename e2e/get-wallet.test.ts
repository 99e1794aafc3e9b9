/** "Get the wallet" in a real browser that passes for each of those which people have. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { BUILT_WALLET, launchWallet, type WalletBrowser } from './drive/browser.ts';
import { ADDRESS } from './drive/scene.ts';
import { shopPage, startSite } from './drive/site.ts';
import { approve, ask, buttonIn, PASSWORD, quickWallet, swipe } from './drive/wallet.ts';
import { useGetWallet, service } from './get-wallet-stage.ts';

useGetWallet();

test('a newer download keeps the wallet, although it lies in another folder: the id follows from the key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'downloads-'));
  const userDataDir = join(folder, 'profile');
  let wallet: WalletBrowser | undefined;
  const download = async (name: string, version: string) => {
    const to = join(folder, name);
    await cp('dist/extension', to, { recursive: true });
    const manifest = JSON.parse(await readFile(join(to, 'manifest.json'), 'utf8')) as object;
    await writeFile(join(to, 'manifest.json'), JSON.stringify({ ...manifest, version }));
    wallet = await launchWallet({ userDataDir, enableExtensions: [to] });
    return wallet;
  };
  try {
    const older = await download('older', '0.0.1');
    const { page: before, words } = await quickWallet(older, { serviceUrl: service.url });
    const { receiveAddress } = await ask(before, 'wallet/overview', {});
    await older.close();
    const newer = await download('newer', '0.0.2');
    const popup = await newer.open('popup');
    expect(await popup.evaluate(() => chrome.runtime.getManifest().version)).toBe('0.0.2');
    await ask(popup, 'vault/unlock', { password: PASSWORD });
    expect((await ask(popup, 'wallet/overview', {})).receiveAddress).toBe(receiveAddress);
    expect((await ask(popup, 'vault/show-words', { password: PASSWORD })).words).toBe(words);
  } finally {
    await wallet?.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a page that is open while the wallet is installed, set up and updated pays without a reload', async () => {
  const site = await startSite();
  site.page('/', shopPage(service.url, { to: ADDRESS, amount: '0.10', currency: 'USD' }));
  let shop: Page | undefined;
  const wallet = await launchWallet({
    before: async (browser) => {
      shop = await browser.newPage();
      await shop.goto(`${site.origin}/`);
      await buttonIn(shop, 'no-wallet');
    },
  });
  try {
    const page = shop!;
    await buttonIn(page, 'ready');
    await quickWallet(wallet, { serviceUrl: service.url, satoshis: 1_000_000 });
    await page.bringToFront();
    await page.evaluate(() => {
      addEventListener('message', ({ data }) => {
        if (data?.event === 'wallet-present') document.body.dataset.updated = 'true';
      });
    });
    await wallet.browser.installExtension(BUILT_WALLET);
    await page.waitForSelector('[data-updated]');
    await swipe(page, await buttonIn(page, 'ready'));
    await approve(wallet, PASSWORD);
    await buttonIn(page, 'done');
    expect(await page.evaluate(() => (window as unknown as { payments: unknown[] }).payments.length)).toBe(1);
    expect(site.asked.filter((path) => path === '/')).toHaveLength(1);
    expect(wallet.approvalCount().ever).toBe(1);
  } finally {
    await wallet.close();
    await site.stop();
  }
});
