import { expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import {
  allowanceTexts,
  connectedTexts,
  contactTexts,
  onboardingTexts,
  secretTexts,
  settingsTexts,
  shortcutTexts,
  texts,
} from '../../extension/ui/texts/texts.ts';
import { giveAssets } from '../drive/assets.ts';
import { launchWallet } from '../../tooling/drive/browser.ts';
import { checkWords, copyWords, fill, openOnboarding, press, sees } from '../../tooling/drive/onboarding.ts';
import { ADDRESS } from '../drive/scene.ts';
import { allowSwipesOnAnySite, readyFrame, swipeFrames } from '../../tooling/drive/trusted-swipe.ts';
import {
  approve,
  ask,
  buttonIn,
  PASSWORD,
  refuse,
  swipe,
  untilGuardPasses,
  readyApproval,
} from '../../tooling/drive/wallet.ts';
import { useAccessibilityScene, scene, pages, looker } from './accessibility-stage.ts';

useAccessibilityScene();

async function windowOf(kind: string, details: object): Promise<Page> {
  const id = `window-of-${kind}-${Math.random().toString(36).slice(2)}`;
  const prompt = {
    kind,
    origin: 'https://app.example',
    message: id,
    createdAt: Date.now(),
    state: 'awaitingDecision',
    window: { id, windowId: null, shownAt: null },
    details,
    outcome: null,
  };
  await scene.page.evaluate(
    (record) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('service-button');
        opening.addEventListener('error', () => reject(opening.error ?? new Error('no database')));
        opening.addEventListener('success', () => {
          const tx = opening.result.transaction('prompts', 'readwrite');
          tx.objectStore('prompts').put(record);
          tx.addEventListener('complete', () => {
            opening.result.close();
            resolve();
          });
        });
      }),
    prompt,
  );
  // Opens the prompt in a new window, which closes by itself when the wallet is unlocked in another window.
  const url = new URL(`/extension/approval/index.html?id=${id}`, scene.page.url()).href;
  await scene.page.evaluate((address) => void chrome.windows.create({ url: address, type: 'popup' }), url);
  const page = await (await scene.wallet.browser.waitForTarget((target) => target.url() === url)).page();
  if (!page) throw new Error('the window has no page');
  pages.push(page);
  await page.waitForSelector('.approval-decision');
  return page;
}

test('Axe finds no violations on any page of the popup', async () => {
  const shop = await scene.shop({ 'button-id': 'seen', repeatable: 'true' });
  pages.push(shop);
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(scene.wallet);
  await buttonIn(shop, 'done');
  await shop.reload();
  await swipe(shop, await buttonIn(shop, 'ready'));
  await refuse(scene.wallet);

  const popup = scene.page;
  await popup.reload();
  await popup.bringToFront();
  const { found, look } = await looker(popup);
  await popup.waitForSelector('details.activity');
  await look('activity');
  for (const row of await popup.$$('details.activity > summary')) await row.click();
  await popup.waitForSelector('details.activity[open] .facts');
  await look('details');
  const open = async (place: number, name: string) => {
    await (await popup.$$('.home-actions > button'))[place]?.click();
    await popup.waitForSelector('.page-head h1');
    await look(name);
    await press(popup, texts.back);
  };
  await popup.waitForSelector('.home-actions > button');
  await open(0, 'send');
  await open(1, 'receive');
  await giveAssets(scene, popup);
  await popup.click('[data-action=assets]');
  await popup.waitForSelector('.asset-picture img');
  await look('assets');
  await popup.click('.assets .list-row');
  await look('token');
  await popup.click('[data-action=send-asset]');
  await popup.type('.send-to', ADDRESS);
  await popup.type('.send-amount', '5');
  await look('send a token');
  await popup.click('[data-action=review]');
  await popup.waitForSelector('[data-part=review-asset]');
  await look('check a token');
  await press(popup, allowanceTexts.sites);
  await popup.waitForSelector('[data-action=swipes-change]');
  await look('sites');
  await popup.click('[data-action=swipes-change]');
  await popup.waitForSelector('[data-part=perSwipe]');
  await look('one-swipe limits');
  await allowSwipesOnAnySite(popup);
  await popup.reload();
  await press(popup, allowanceTexts.sites);
  await popup.waitForSelector('[data-action=swipes-off]');
  await look('sites with one-swipe limits');
  await ask(popup, 'swipes/switch-off', {});
  await press(popup, texts.popup.settings);
  await sees(popup, settingsTexts.security);
  await look('settings');
  for (const row of [
    connectedTexts.title,
    shortcutTexts.title,
    settingsTexts.words.title,
    settingsTexts.password.title,
    settingsTexts.addresses,
    settingsTexts.remove.row,
  ]) {
    await press(popup, row);
    await look(row);
    await press(popup, texts.back);
  }
  await ask(popup, 'contacts/save', { id: null, to: ADDRESS, name: 'Ada' });
  await press(popup, contactTexts.title);
  await popup.waitForSelector('[data-part=contacts]');
  await look('contacts');
  await popup.keyboard.press('?');
  await popup.waitForSelector('dialog[open]');
  await look('shortcuts');
  await popup.keyboard.press('Escape');
  await popup.click('[data-part=contacts] .list-row');
  await popup.click('[data-action=remove]');
  await look('contact');
  await popup.click('[data-action=send-to]');
  await popup.waitForSelector('[data-action=scan]');
  await popup.click('[data-action=scan]');
  await look('send to a contact, by code');
  expect(found).toEqual({});
});

test('Axe finds no violations in permission windows or in the list of permissions', async () => {
  const key = `02${'cd'.repeat(32)}`;
  const notes = { kind: 'protocol', level: 1, protocol: 'secret notes', counterparty: null };
  const withKey = { kind: 'protocol', level: 2, protocol: 'secret notes', counterparty: key };
  const basket = { kind: 'basket', basket: 'm'.repeat(300) };
  const seen: Record<string, string[]> = {};
  const look = async (page: Page, name: string) => {
    const { found, look: lookAt } = await looker(page);
    await lookAt(name);
    Object.assign(seen, found);
  };
  for (const permission of [withKey, basket])
    await look(await windowOf('permission', { permission, call: 'call-1' }), permission.kind);
  const group = await windowOf('permission-group', {
    call: 'call-1',
    hash: 'ab',
    wanted: [
      { permission: notes, said: 'To read your notes' },
      { permission: withKey, said: null },
      { permission: basket, said: 'x'.repeat(200) },
    ],
    monthly: '2000000',
    certificates: true,
  });
  await group.$eval('[data-part=grant-on]', (box) => (box as HTMLInputElement).click());
  await group.waitForSelector('[data-part=allowance-amount]');
  await look(group, 'group');
  await untilGuardPasses(group);
  await group.click('button[data-action=permit]');
  await group.waitForSelector('.approval-end-paid');
  await ask(scene.page, 'vault/lock', {});
  const unlock = await windowOf('unlock', { call: 'call-1' });
  await look(unlock, 'unlock');
  const gone = new Promise((resolve) => unlock.once('close', resolve));
  await ask(scene.page, 'vault/unlock', { password: PASSWORD });
  await gone;
  const popup = scene.page;
  await popup.reload();
  await popup.bringToFront();
  await press(popup, allowanceTexts.sites);
  await popup.waitForSelector('[data-site="https://app.example"] > summary');
  await popup.click('[data-site="https://app.example"] > summary');
  await popup.waitForSelector('[data-action=forbid-all]');
  await look(popup, 'permissions of a site');
  expect(seen).toEqual({});
});

test('Axe finds no violations at any step of the setup', async () => {
  const wallet = await launchWallet();
  try {
    const page = await openOnboarding(wallet, scene.publicUrl);
    const { found, look } = await looker(page);
    await look('start');
    await press(page, onboardingTexts.start.create);
    await sees(page, onboardingTexts.password.title);
    await look('password');
    await fill(page, texts.password, PASSWORD);
    await fill(page, secretTexts.password.again, PASSWORD);
    await press(page, onboardingTexts.continue);
    await sees(page, onboardingTexts.words.title);
    await look('words, covered');
    const words = await copyWords(page);
    await sees(page, onboardingTexts.check.title);
    await look('check');
    await checkWords(page, words);
    await sees(page, onboardingTexts.account.title);
    await look('account');
    await fill(page, texts.handle.label, 'set.up');
    await sees(page, texts.handle.free({ handle: 'set.up' }));
    await press(page, texts.handle.register);
    await sees(page, onboardingTexts.done.title);
    await look('done');
    expect(found).toEqual({});
  } finally {
    await wallet.close();
  }
});

test('the keyboard pays even if the wallet’s track covers the button, because the track takes no focus', async () => {
  await allowSwipesOnAnySite(scene.page);
  const page = await scene.wallet.browser.newPage();
  pages.push(page);
  scene.site.page(
    '/keys',
    `<!doctype html><html lang="en"><title>A shop</title><script src="${scene.publicUrl}/button.js" defer></script>
    <a href="#before">Before</a><div class="service-button" data-to="${ADDRESS}" data-amount="0.10" data-currency="USD" data-label="Read it"></div>
    <a href="#after">After</a></html>`,
  );
  await page.goto(`${scene.site.origin}/keys`);
  await buttonIn(page, 'ready');
  await page.mouse.move(200, 60);
  await readyFrame(page);
  await expect.poll(() => swipeFrames(page)).toHaveLength(1);
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      return element?.getAttribute('role') ?? element?.textContent ?? '';
    });
  const stops: string[] = [];
  await page.focus('a');
  for (let i = 0; i < 2; i += 1) {
    await page.keyboard.press('Tab');
    stops.push(await focused());
  }
  expect(stops).toEqual([expect.stringMatching(/slider|button/), 'After']);
  // One key both requests and confirms the payment, as with a single switch.
  await page.keyboard.down('Shift');
  await page.keyboard.press('Tab');
  await page.keyboard.up('Shift');
  const paid = (await scene.paid()).length;
  await page.keyboard.press('Enter');
  const approval = await readyApproval(scene.wallet);
  await untilGuardPasses(approval);
  await approval.focus('button[data-action=pay]');
  await approval.keyboard.press('Enter');
  await buttonIn(page, 'done');
  expect((await scene.paid()).length).toBe(paid + 1);
});
