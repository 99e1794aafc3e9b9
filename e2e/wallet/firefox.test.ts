/** Tests the Firefox package in a real Firefox: it loads, stores a wallet, pays, and identifies the requesting site. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { findFirefox, skipsFirefox } from '../../tooling/system.ts';
import { call, callByClick, KEY } from '../drive/applications.ts';
import { launchFirefox, type WalletFirefox } from '../../tooling/drive/firefox.ts';
import { until } from '../../testing/patience.ts';
import { freshId, paymentRequest, rawPage, replyTo, say, type RawWindow } from '../drive/raw-page.ts';
import { ADDRESS } from '../drive/scene.ts';
import { startService, type Service } from '../../tooling/drive/service.ts';
import { shopPage, startSite, type Site } from '../drive/site.ts';
import { ask, buttonIn, PASSWORD, pressWhenReady, stored, swipe } from '../../tooling/drive/wallet.ts';

describe.skipIf(skipsFirefox())('in Firefox', () => {
  let service: Service;
  let site: Site;
  let firefox: WalletFirefox;
  let wallet: Page;
  /** A page opened before the wallet was installed. */
  let earlier: Page;
  /** The site to which the last page of the onboarding links. */
  let backTo: string | null;

  beforeAll(async () => {
    const path = findFirefox();
    if (path === null) throw new Error('no Firefox: run npm test, which installs one or says what to do');
    [service, site] = await Promise.all([startService(), startSite()]);
    site.page('/', shopPage(service.url, { to: ADDRESS, amount: '0.10', currency: 'USD', label: 'Buy' }));
    firefox = await launchFirefox(path, async (browser) => {
      earlier = await browser.newPage();
      await earlier.goto(`${site.origin}/`);
      await buttonIn(earlier, 'no-wallet');
    });
    wallet = await firefox.browser.newPage();
    await firefox.show(wallet, 'onboarding');
    await ask(wallet, 'settings/change', { serviceUrl: service.url });
    const { words } = await ask(wallet, 'vault/generate-words', {});
    await ask(wallet, 'vault/create', { words, password: PASSWORD, restored: false });
    await ask(wallet, 'account/register', { handle: 'fox', name: 'Fox' });
    ({ origin: backTo } = await ask(wallet, 'onboarding/client', {}));
    await firefox.show(wallet, 'popup');
    await ask(wallet, 'wallet/faucet', { satoshis: 1_000_000 });
  });
  afterAll(async () => {
    await firefox?.close();
    await Promise.all([site?.stop(), service?.stop()]);
  });

  test('a page that was open before the installation has a ready button without a reload, and onboarding leads back to it', async () => {
    await buttonIn(earlier, 'ready');
    expect(backTo).toBe(site.origin);
    expect(site.asked.filter((path) => path === '/')).toHaveLength(1);
    await earlier.close();
  });

  test('a swipe opens the approval window, which pays', async () => {
    const shop = await firefox.browser.newPage();
    await shop.goto(`${site.origin}/`);
    await swipe(shop, await buttonIn(shop, 'ready'));
    const approval = await firefox.approval();
    expect(await approval.$eval('[data-part=origin]', (shown) => shown.textContent)).toBe(site.origin);
    await pressWhenReady(approval, 'button[data-action=pay]');
    await buttonIn(shop, 'done');
    const { result } = (await (
      await fetch(`${service.url}/devnet/woc/v1/bsv/test/address/${ADDRESS}/unspent/all`)
    ).json()) as { result: { value: number }[] };
    expect(result.map(({ value }) => value)).toEqual([200_000]);
    await until('the approval window is closed', () =>
      wallet.evaluate(async () => (await chrome.windows.getAll()).length === 1),
    );
  });

  test('pages have window.CWI after the user’s permission, and a frame of another site can act only for itself', async () => {
    const other = await startSite();
    other.page('/', rawPage());
    site.page('/app', rawPage(`<button id="pay">Go</button><iframe src="${other.origin}/"></iframe>`));
    const page = await firefox.browser.newPage();
    await page.goto(`${site.origin}/app`);
    const { answer } = await callByClick(page, 'createHmac', { ...KEY, data: [1] });
    const approval = await firefox.approval('permit');
    expect(await approval.$eval('[data-part=origin]', (shown) => shown.textContent)).toBe(site.origin);
    await pressWhenReady(approval, 'button[data-action=permit]');
    const given = await answer;
    expect(given.result).toMatchObject({ hmac: expect.any(Array) as number[] });
    const unasked = { ...KEY, data: [1], seekPermission: false };
    expect(await call(page, 'createHmac', unasked)).toEqual(given);
    const frame = await until('the frame is there', async () => page.mainFrame().childFrames()[0] ?? null);
    await frame.waitForFunction(() => document.readyState === 'complete');
    expect((await call(frame, 'getVersion')).result).toMatchObject({ version: expect.any(String) as string });
    expect((await call(frame, 'createHmac', unasked)).error).toMatchObject({ reason: 'permission-refused' });
    await page.close();
    await other.stop();
  });

  test('a temporary add-on detects without a permission that it doesn’t get updates', async () => {
    const { installType } = await wallet.evaluate(() => chrome.management.getSelf());
    expect(installType).toBe('development'); // read by wallet/service/release.ts
  });

  test('a sandboxed frame can’t send requests as the site that it was loaded from', async () => {
    site.page('/outer', rawPage('<iframe sandbox="allow-scripts" src="/inner"></iframe>'));
    site.page('/inner', rawPage());
    const page = await firefox.browser.newPage();
    await page.goto(`${site.origin}/outer`);
    const frame = await until('the frame is there', async () => page.mainFrame().childFrames()[0] ?? null);
    await frame.waitForFunction(() => document.readyState === 'complete');
    expect(await frame.evaluate(() => [origin, location.origin])).toEqual(['null', site.origin]);
    const before = (await stored(wallet, 'payments')).length;
    const request = paymentRequest();
    await say(frame, request);
    // A forged event can claim any origin.
    await frame.evaluate(
      (sent) => {
        const data = { channel: 'service-button/1', to: 'wallet', ...sent };
        dispatchEvent(new MessageEvent('message', { data, origin: location.origin, source: window }));
      },
      { ...request, id: freshId() },
    );
    // A response to the embedding page proves that all earlier messages were handled.
    const hello = { id: freshId(), method: 'wallet/hello', params: {} };
    await say(page, hello);
    expect((await replyTo(page, hello.id)).result).toBeDefined();
    expect(await frame.evaluate(() => (window as unknown as RawWindow).heard)).toEqual([]);
    expect((await stored(wallet, 'payments')).length).toBe(before);
  });
});
