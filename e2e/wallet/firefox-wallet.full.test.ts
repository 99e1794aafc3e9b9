/**
 * Tests, in Firefox, the features of the wallet's windows that the driver supports: restoring, open prompts, locking.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { DATABASE_NAME } from '../../wallet/store/database.ts';
import { onboardingTexts, texts } from '../../extension/ui/texts/texts.ts';
import { findFirefox, skipsFirefox } from '../../tooling/system.ts';
import { launchFirefox, type WalletFirefox } from '../../tooling/drive/firefox.ts';
import { until } from '../../testing/patience.ts';
import { choosePassword, fill, press, sees } from '../../tooling/drive/onboarding.ts';
import { ADDRESS } from '../drive/scene.ts';
import { startService, type Service } from '../../tooling/drive/service.ts';
import { shopPage, startSite, type Site } from '../drive/site.ts';
import { ask, buttonIn, PASSWORD, pressWhenReady, swipe } from '../../tooling/drive/wallet.ts';

const WORDS = 'remind subject simple name truck symbol inject eager erase million puzzle scout';

describe.skipIf(skipsFirefox())('the wallet in Firefox', () => {
  let service: Service;
  let site: Site;
  let firefox: WalletFirefox;
  let wallet: Page;
  const badge = () => wallet.evaluate(() => chrome.action.getBadgeText({}));

  beforeAll(async () => {
    const path = findFirefox();
    if (path === null) throw new Error('no Firefox: run npm test, which installs one or says what to do');
    [service, site] = await Promise.all([startService(), startSite()]);
    site.page('/', shopPage(service.url, { to: ADDRESS, amount: '0.10', currency: 'USD', label: 'Buy' }));
    firefox = await launchFirefox(path);
    wallet = await firefox.browser.newPage();
    await firefox.show(wallet, 'onboarding');
    await ask(wallet, 'settings/change', { serviceUrl: service.url });
  });
  afterAll(async () => {
    await firefox?.close();
    await Promise.all([site?.stop(), service?.stop()]);
  });

  test('words that a text field joins into one line restore a wallet', async () => {
    await press(wallet, onboardingTexts.start.restore);
    await fill(wallet, onboardingTexts.restore.label, WORDS.replaceAll(' ', ''));
    await press(wallet, onboardingTexts.restore.check);
    await sees(wallet, onboardingTexts.password.title);
    await choosePassword(wallet, PASSWORD);
    await sees(wallet, onboardingTexts.account.title);
    expect(await ask(wallet, 'vault/status', {})).toMatchObject({ exists: true });
  });

  test('the wallet locks after 15 minutes by default', async () => {
    expect(await wallet.evaluate(() => typeof chrome.idle?.onStateChanged.addListener)).toBe('function');
    expect(await ask(wallet, 'settings/read', {})).toMatchObject({ lockAfterMinutes: 15 });
  });

  test('an open prompt is shown on the badge and in the popup until it is decided', async () => {
    await firefox.show(wallet, 'popup');
    await ask(wallet, 'wallet/faucet', { satoshis: 1_000_000 });
    const shop = await firefox.browser.newPage();
    await shop.goto(`${site.origin}/`);
    await swipe(shop, await buttonIn(shop, 'ready'));
    const approval = await firefox.approval();
    await until('the badge counts it', async () => (await badge()) === '1');
    await firefox.show(wallet, 'popup');
    const row = await wallet.waitForSelector('.open-prompt');
    expect(await row?.evaluate(({ textContent }) => textContent)).toContain(new URL(site.origin).host);
    await pressWhenReady(approval, '.approval-buttons button[type=button]');
    await buttonIn(shop, 'error');
    await until('the badge is empty', async () => (await badge()) === '');
  });

  test('a deleted database leads to the recovery words, which restore the coins', async () => {
    await firefox.show(wallet, 'popup');
    await wallet.evaluate(
      (name) =>
        new Promise((resolve, reject) => {
          const deletion = indexedDB.deleteDatabase(name);
          deletion.onsuccess = resolve;
          deletion.onblocked = () => reject(new Error('the wallet keeps its database open'));
        }),
      DATABASE_NAME,
    );
    await firefox.show(wallet, 'onboarding');
    await sees(wallet, texts.lost.title);
    expect(await wallet.evaluate(() => document.body.innerText)).not.toContain(onboardingTexts.start.create);
    await firefox.show(wallet, 'popup');
    await sees(wallet, texts.lost.title);
    await firefox.show(wallet, 'onboarding');
    await ask(wallet, 'settings/change', { serviceUrl: service.url });
    await press(wallet, texts.lost.button);
    await fill(wallet, onboardingTexts.restore.label, WORDS);
    await press(wallet, onboardingTexts.restore.check);
    await sees(wallet, onboardingTexts.password.title);
    await choosePassword(wallet, PASSWORD);
    await sees(wallet, onboardingTexts.account.title);
    await until('the coins are back', async () => (await ask(wallet, 'wallet/overview', {})).satoshis === '1000000');
  });
});
