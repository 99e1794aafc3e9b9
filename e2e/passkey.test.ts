/**
 * A passkey beside the password, with Chromium's virtual authenticator: adding, using, listing and removing it, and
 * what happens when it is not there or not wanted.
 */
import { mkdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CDPSession, Page } from 'puppeteer-core';
import { ERRORS } from '../protocol/errors.ts';
import { passkeyTexts as t } from '../extension/ui/texts-passkey.ts';
import { texts } from '../extension/ui/texts.ts';
import { axe } from './drive/axe.ts';
import { fill, press, sees, unlockByHand } from './drive/onboarding.ts';
import { setScene, type Scene } from './drive/scene.ts';
import { onStage } from './drive/stage.ts';
import { ask, buttonIn, PASSWORD, pressWhenReady, readyApproval, stored, swipe } from './drive/wallet.ts';

let scene: Scene;
let popup: Page;
let cdp: CDPSession;
let authenticatorId: string;

onStage(
  async () => {
    scene = await setScene({ satoshis: 3_000_000 });
  },
  () => scene?.end(),
);
beforeEach(async () => {
  if ((await ask(scene.page, 'vault/status', {})).locked) await ask(scene.page, 'vault/unlock', { password: PASSWORD });
  for (const { id } of (await ask(scene.page, 'passkeys/list', {})).passkeys)
    await ask(scene.page, 'passkeys/remove', { id });
  popup = await scene.wallet.open('popup');
  cdp = await popup.createCDPSession();
  await cdp.send('WebAuthn.enable');
  await plugIn();
});
afterEach(async () => {
  if (!popup.isClosed()) await popup.close();
  await scene.wallet.noApproval();
});

/** Puts an authenticator into this browser, which is touched at once by whoever it knows. */
async function plugIn(hasPrf = true): Promise<void> {
  const options = {
    protocol: 'ctap2',
    ctap2Version: 'ctap2_1',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    hasPrf,
  } as const;
  ({ authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options }));
}

async function addPasskey(name = 'Laptop', password = PASSWORD): Promise<void> {
  await press(popup, texts.popup.settings);
  await press(popup, t.title);
  await fill(popup, t.name, name);
  await fill(popup, t.password, password);
  await press(popup, t.add);
}

async function withPasskey(): Promise<void> {
  await addPasskey();
  await sees(popup, t.done);
}

async function lockAndReload(): Promise<void> {
  await ask(popup, 'vault/lock', {});
  await popup.reload();
  await sees(popup, texts.unlock.title);
  await sees(popup, t.unlock);
}

/** Pictures of a state, where they are wanted: light and dark, narrow and wide. */
async function pictures(name: string): Promise<void> {
  const folder = process.env.PASSKEY_PICTURES;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const theme of ['light', 'dark'])
    for (const width of [320, 360, 800]) {
      await popup.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
      await popup.setViewport({ width, height: 640 });
      await popup.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` });
    }
  await popup.emulateMediaFeatures([]);
  await popup.setViewport(null);
}

test('is added for the password, unlocks by touch, is listed, and removed', async () => {
  await addPasskey();
  await sees(popup, t.done);
  await sees(popup, 'Laptop');
  expect(await axe(popup)).toEqual([]);
  await pictures('added');
  await lockAndReload();
  expect(await axe(popup)).toEqual([]);
  await pictures('locked');
  await press(popup, t.unlock);
  await sees(popup, '3,000,000 satoshis');
  expect((await ask(popup, 'passkeys/list', {})).passkeys).toMatchObject([
    { name: 'Laptop', createdAt: expect.any(Number), usedAt: expect.any(Number) },
  ]);
  await press(popup, texts.popup.settings);
  await press(popup, t.title);
  await press(popup, t.remove('Laptop'));
  await sees(popup, t.keep);
  await pictures('remove-sure');
  expect(await axe(popup)).toEqual([]);
  await press(popup, t.removeSure);
  await sees(popup, t.removed);
  await sees(popup, t.none);
  await pictures('removed');
  await ask(popup, 'vault/lock', {});
  await popup.reload();
  await unlockByHand(popup, PASSWORD);
  await sees(popup, '3,000,000 satoshis');
});

test('a wrong password makes none, on neither side', async () => {
  await addPasskey('Laptop', 'not-the-password');
  await sees(popup, ERRORS['wrong-password'].message);
  expect((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toEqual([]);
  expect((await ask(popup, 'passkeys/list', {})).passkeys).toEqual([]);
});

test('a touch of nobody that it knows leads back to the password', async () => {
  await withPasskey();
  await lockAndReload();
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await press(popup, t.unlock);
  await sees(popup, t.cancelled);
  await pictures('cancelled');
  await unlockByHand(popup, PASSWORD);
  await sees(popup, '3,000,000 satoshis');
});

test('lost, or removed in the system’s settings, it loses nothing: the password opens the wallet', async () => {
  await withPasskey();
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
  await lockAndReload();
  await press(popup, t.unlock);
  await sees(popup, t.cancelled);
  await unlockByHand(popup, PASSWORD);
  await sees(popup, '3,000,000 satoshis');
  expect((await ask(popup, 'vault/show-words', { password: PASSWORD })).words).toBe(scene.words);
});

test('an authenticator without the extension gives none, and the window says what to do', async () => {
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  await plugIn(false);
  await addPasskey();
  await sees(popup, t.unsuitable);
  await pictures('unsuitable');
  expect((await ask(popup, 'passkeys/list', {})).passkeys).toEqual([]);
  await lockWithout();
});

async function lockWithout(): Promise<void> {
  await ask(popup, 'vault/lock', {});
  await popup.reload();
  await sees(popup, texts.unlock.title);
  expect(await popup.evaluate(() => document.body.innerText)).not.toContain(t.unlock);
}

test('a device that has one is not given a second', async () => {
  await withPasskey();
  await fill(popup, t.password, PASSWORD);
  await press(popup, t.add);
  await sees(popup, t.already);
  expect((await ask(popup, 'passkeys/list', {})).passkeys).toHaveLength(1);
});

test('unlocks in the window that asks for a payment, and pays nothing by that', async () => {
  await withPasskey();
  const shop = await scene.shop();
  await ask(popup, 'vault/lock', {});
  await swipe(shop, await buttonIn(shop, 'ready'));
  const approval = await readyApproval(scene.wallet);
  // The authenticator is plugged into this page: it takes the place of that window.
  await popup.goto(approval.url());
  await popup.waitForSelector('button[data-action=pay]');
  await sees(popup, t.unlock);
  await pictures('approval');
  await pressWhenReady(popup, '.approval-decision .button-block');
  await popup.waitForSelector('.approval-decision:not(:has(input))');
  expect((await ask(scene.page, 'vault/status', {})).locked).toBe(false);
  const payments = await stored(scene.page, 'payments');
  expect(payments.filter(({ signed }) => signed)).toEqual([]);
  await pressWhenReady(popup, 'button[data-action=pay]');
  await buttonIn(shop, 'done');
  await approval.close(); // the other window decided in its place
  await shop.close();
});
