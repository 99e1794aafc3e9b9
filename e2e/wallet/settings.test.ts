/** Tests actions on an existing wallet: showing its words, changing its password, removing and restoring it. */
import { expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { ERRORS } from '../../protocol/errors/service-error.ts';
import { onboardingTexts, settingsTexts as t, texts } from '../../extension/ui/texts/texts.ts';
import { chooseDevnet, choosePassword, fill, press, sees } from '../../tooling/drive/onboarding.ts';
import { ask, buttonIn, PASSWORD, stored, swipe } from '../../tooling/drive/wallet.ts';
import { useSettingsScene, scene, popup, current } from './settings-stage.ts';

useSettingsScene();

const STORES = [
  'keyval',
  'addresses',
  'coins',
  'payments',
  'receipts',
  'allowances',
  'prompts',
  'sites',
  'totals',
  'headers',
];

const document = () => popup.evaluate(() => globalThis.document.documentElement.outerHTML);

const shownWords = () =>
  popup.$$eval('.word-cells li', (cells) => cells.map((cell) => cell.lastChild?.textContent ?? '').join(' '));

const balance = async (page: Page) => (await ask(page, 'wallet/overview', {})).satoshis;

test('the password reveals the words, which are hidden when the page is in the background', async () => {
  await press(popup, t.words.title);
  await fill(popup, t.words.password, 'not-the-password');
  await press(popup, t.words.show);
  await sees(popup, ERRORS['wrong-password'].message);
  await fill(popup, t.words.password, current.password);
  await press(popup, t.words.show);
  await popup.waitForSelector('.word-cells');
  expect(await shownWords()).toBe(scene.words);
  const other = await scene.wallet.browser.newPage(); // covers the popup's tab
  await other.bringToFront();
  await popup.waitForFunction(() => globalThis.document.querySelector('.word-cells') === null, { polling: 20 });
  await other.close();
  await press(popup, texts.back);
  for (const word of scene.words.split(' ')) expect((await document()).includes(`>${word}<`)).toBe(false);
});

test('a removed wallet leaves no data, and its words restore it without the service', async () => {
  const before = await balance(popup);
  expect(BigInt(before)).toBe(3_000_000n);
  const shop = await scene.shop();
  const button = await buttonIn(shop, 'ready');

  await press(popup, t.remove.row);
  await sees(popup, '3,000,000 satoshis');
  await fill(popup, t.remove.password, current.password);
  await popup.click('input[type=checkbox]');
  const opened = scene.wallet.browser.waitForTarget((target) => target.url().endsWith('/onboarding/index.html'));
  await press(popup, t.remove.confirm);
  await sees(popup, texts.welcome.title);
  const page = (await (await opened).page()) as Page;
  for (const store of STORES) expect(await stored(popup, store), store).toEqual([]);
  expect(await popup.evaluate(() => chrome.storage.session.get())).toEqual({ 'open-tabs': true });
  expect((await popup.evaluate(() => chrome.alarms.getAll())).map(({ name }) => name)).toEqual(['receive']);
  await shop.bringToFront();
  await swipe(shop, button);
  await buttonIn(shop, 'error');
  expect(await shop.evaluate(() => (globalThis as unknown as { errors: { code: string }[] }).errors.at(-1)?.code)).toBe(
    'wallet-not-set-up',
  );

  // After the removal, the service is the build's default. A developer's own service may be running there.
  await ask(page, 'settings/change', { serviceUrl: scene.publicUrl });
  scene.faults.when(/^\S+ \/(?!devnet\/(?:arc|woc)\/)/, 'refuse');
  await press(page, onboardingTexts.start.restore);
  await fill(page, onboardingTexts.restore.label, scene.words);
  await press(page, onboardingTexts.restore.check);
  await chooseDevnet(page, scene.publicUrl);
  await sees(page, onboardingTexts.password.title);
  await choosePassword(page, PASSWORD);
  current.password = PASSWORD;
  await sees(page, onboardingTexts.account.skip);
  await press(page, onboardingTexts.account.skip);
  await sees(page, onboardingTexts.done.scanDone);
  expect(await balance(page)).toBe(before);
  await sees(page, '3,000,000 satoshis');
});
