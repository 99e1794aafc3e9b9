/** Tests "Get the wallet" with the user agent of each common browser. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Page } from 'puppeteer-core';
import { onboardingTexts as t, texts } from '../../extension/ui/texts/texts.ts';
import { BUILT_WALLET, launchWallet, pageOf, type WalletBrowser } from '../../tooling/drive/browser.ts';
import { passOnboarding, press, sees } from '../../tooling/drive/onboarding.ts';
import { ADDRESS } from '../drive/scene.ts';
import { shopPage, startSite, type Site } from '../drive/site.ts';
import {
  approve,
  ask,
  buttonIn,
  PASSWORD,
  pressWhenReady,
  readyApproval,
  stored,
  swipe,
} from '../../tooling/drive/wallet.ts';
import { useGetWallet, service } from './get-wallet-stage.ts';

useGetWallet();

describe('a page that is open while the wallet is installed', () => {
  let site: Site;
  let wallet: WalletBrowser;
  let page: Page;
  const pay = async () => {
    await swipe(page, await buttonIn(page, 'ready'));
    return readyApproval(wallet);
  };
  const payments = () => page.evaluate(() => (window as unknown as { payments: { id: string }[] }).payments);

  beforeAll(async () => {
    site = await startSite();
    const attributes = { to: ADDRESS, amount: '0.10', currency: 'USD' };
    // The script is part of the shop's bundle.
    const script = await (await fetch(`${service.url}/button.js`)).text();
    site.page('/all.js', `${script}\nconsole.log('rest of the bundle');`, { 'content-type': 'text/javascript' });
    const shop = shopPage(service.url, attributes).replace(`${service.url}/button.js`, '/all.js');
    expect(shop).toContain('<script src="/all.js">');
    site.page('/', shop);
    site.page('/later', shop);
    wallet = await launchWallet({
      before: async (browser) => {
        page = await browser.newPage();
        await page.goto(`${site.origin}/`);
        await buttonIn(page, 'no-wallet');
      },
    });
  });
  afterAll(async () => {
    await wallet?.close();
    await site?.stop();
  });

  test('pays without a reload after onboarding returns to it, even after the wallet is updated and with a bundled script', async () => {
    await buttonIn(page, 'ready');
    const isOnboarding = (target: { url(): string }) => target.url().endsWith('/extension/onboarding/index.html');
    const setUp = await pageOf(await wallet.browser.waitForTarget(isOnboarding));
    await sees(setUp, t.start.title);
    await ask(setUp, 'settings/change', { serviceUrl: service.url });
    await passOnboarding(setUp, { password: PASSWORD, handle: 'in.the.middle' });
    await press(setUp, texts.faucet.get);
    await sees(setUp, t.done.balance);
    await press(setUp, t.done.back({ host: new URL(site.origin).host }));
    await page.waitForFunction(() => document.visibilityState === 'visible');
    await page.evaluate(() => {
      addEventListener('message', ({ data }) => {
        if (data?.event === 'wallet-present') document.body.dataset.updated = 'true';
      });
    });
    await wallet.browser.installExtension(BUILT_WALLET);
    await page.waitForSelector('[data-updated]');
    await pay();
    await approve(wallet, PASSWORD);
    await buttonIn(page, 'done');
    expect(await payments()).toHaveLength(1);
    expect(wallet.approvalCount().ever).toBe(1);
    // The page was loaded only once, and made no other requests.
    expect(site.asked.filter((path) => path !== '/favicon.ico')).toEqual(['/', '/all.js']);
    const popup = await wallet.open('popup');
    await vi.waitFor(async () =>
      expect(await stored(popup, 'payments')).toMatchObject([
        { service: service.url, serviceReport: { service: service.url } },
      ]),
    );
    await popup.close();
  });

  test('shows a payment that was made while the service was down as paid, even after a reload', async () => {
    await page.goto(`${site.origin}/later`);
    const approval = await pay();
    await service.kill();
    await pressWhenReady(approval, 'button[data-action=pay]');
    await buttonIn(page, 'error');
    expect(await payments()).toEqual([]);
    await wallet.killWorker();
    await page.reload({ waitUntil: 'domcontentloaded' }).catch(() => undefined);
    await service.start();
    await buttonIn(page, 'done');
    const [payment] = await payments();
    expect(payment?.id).toMatch(/^[\da-f-]{36}$/);
    await page.reload();
    await buttonIn(page, 'done');
    expect(await payments()).toEqual([]);
  });
});
