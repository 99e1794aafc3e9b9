/**
 * Tests an installed wallet that isn't set up. A swipe or a sign-in opens the onboarding, which then returns to the
 * page.
 */
import { expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { onboardingTexts as t, texts } from '../../extension/ui/texts/texts.ts';
import { freePort } from '../../tooling/free-port.ts';
import { launchWallet, pageOf, type WalletBrowser } from '../../tooling/drive/browser.ts';
import { startFaults, type Faults } from '../drive/faults.ts';
import { passOnboarding, press, sees } from '../../tooling/drive/onboarding.ts';
import { ADDRESS } from '../drive/scene.ts';
import { startService, type Service } from '../../tooling/drive/service.ts';
import { signIn, signInPage } from '../drive/sign-in.ts';
import { shopPage, startSite, type Site } from '../drive/site.ts';
import { onStage } from '../drive/stage.ts';
import { ask, buttonIn, PASSWORD, pressWhenReady, readyApproval, stored, swipe } from '../../tooling/drive/wallet.ts';

let service: Service;
let faults: Faults;
let site: Site;
let wallet: WalletBrowser;
let publicUrl: string;

onStage(
  async () => {
    const port = await freePort();
    publicUrl = `http://localhost:${port}`;
    [service, site] = await Promise.all([startService({ BASE_URL: publicUrl }), startSite()]);
    faults = await startFaults(service.url, port);
  },
  async () => {
    await Promise.all([site?.stop(), faults?.stop(), service?.stop()]);
  },
);

const isOnboarding = (target: { url(): string }) => target.url().endsWith('/extension/onboarding/index.html');
const onboardingTabs = () => wallet.browser.targets().filter(isOnboarding).length;
const onboardingTab = async () => pageOf(await wallet.browser.waitForTarget(isOnboarding));
const isInFront = (page: Page) => page.waitForFunction(() => document.visibilityState === 'visible');

/** Starts a browser with the newly installed extension, which opens the onboarding, and sets the service's URL. */
async function installed(): Promise<Page> {
  wallet = await launchWallet();
  const page = await onboardingTab();
  await sees(page, t.start.title);
  await ask(page, 'settings/change', { serviceUrl: publicUrl });
  return page;
}

async function openPage(url: string): Promise<Page> {
  const page = await wallet.browser.newPage();
  await page.goto(url);
  return page;
}

test('a swipe opens a single onboarding tab, which leads back to the page, where coins from the faucet pay', async () => {
  const setUp = await installed();
  site.page('/', shopPage(publicUrl, { to: ADDRESS, amount: '0.10', currency: 'USD' }));
  const other = await openPage(`${site.origin}/`);
  await swipe(other, await buttonIn(other, 'ready'));
  await isInFront(setUp);
  await buttonIn(other, 'error');
  const shop = await openPage(`${site.origin}/`);
  await swipe(shop, await buttonIn(shop, 'ready'));
  await isInFront(setUp);
  await buttonIn(shop, 'error');
  expect(onboardingTabs()).toBe(1);

  await passOnboarding(setUp, { password: PASSWORD, handle: 'first.swipe' });
  expect(await stored(setUp, 'payments'), 'nothing is paid without the window').toEqual([]);
  await press(setUp, t.done.back({ host: new URL(site.origin).host }));
  await isInFront(shop);

  await swipe(shop, await buttonIn(shop, 'error'));
  const approval = await readyApproval(wallet);
  await press(approval, texts.faucet.get);
  await approval.waitForSelector('button[data-action=pay]:not(:disabled)');
  await pressWhenReady(approval, 'button[data-action=pay]');
  await buttonIn(shop, 'done');
  await wallet.close();
});

test('a sign-in reopens a closed onboarding tab, and then signs in', async () => {
  await (await installed()).close();
  const page = await openPage(`${publicUrl}/account`);
  await signInPage(page, 'ready');
  await page.click('#sign-in form button');
  const setUp = await onboardingTab();
  await sees(setUp, t.start.title);
  await passOnboarding(setUp, { password: PASSWORD, handle: 'first.sign-in' });
  await press(setUp, t.done.back({ host: new URL(publicUrl).host }));
  await isInFront(page);
  await signIn(wallet, page);
  await sees(page, 'first.sign-in@localhost');
  await wallet.close();
});
