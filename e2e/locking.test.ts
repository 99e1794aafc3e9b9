/** A locked wallet shows and signs nothing: locked by hand, by time, or because the browser was started again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Page } from 'puppeteer-core';
import { ERRORS } from '../protocol/errors.ts';
import { texts } from '../extension/ui/texts.ts';
import { launchWallet } from './drive/browser.ts';
import { press, sees, unlockByHand } from './drive/onboarding.ts';
import { setScene, type Scene } from './drive/scene.ts';
import { onStage } from './drive/stage.ts';
import { approve, ask, buttonIn, PASSWORD, pressWhenReady, readyApproval, stored, swipe } from './drive/wallet.ts';

let scene: Scene;
let userDataDir: string;
let pages: Page[] = [];

onStage(
  async () => {
    userDataDir = await mkdtemp(join(tmpdir(), 'service-button-browser-'));
    scene = await setScene({ satoshis: 5_000_000, userDataDir });
  },
  async () => {
    await scene?.end();
    await rm(userDataDir, { recursive: true, force: true });
  },
);
afterEach(async () => {
  for (const page of pages.splice(0)) if (!page.isClosed()) await page.close();
  await scene.wallet.noApproval();
});

async function openPopup(): Promise<Page> {
  const popup = await scene.wallet.open('popup');
  pages.push(popup);
  return popup;
}

async function openShop(): Promise<Page> {
  const shop = await scene.shop();
  pages.push(shop);
  return shop;
}

/**
 * The sealed seed in the database, and what the browser keeps in memory. Neither is there while the wallet is locked.
 */
async function unlockedTraces(): Promise<{ sessions: number; memory: Record<string, unknown> }> {
  const records = await stored<Record<string, unknown>>(scene.page, 'keyval');
  return {
    sessions: records.filter((record) => 'outerIv' in record || 'lockAt' in record).length,
    memory: await scene.page.evaluate(() => chrome.storage.session.get()),
  };
}

const LOCKED = { sessions: 0, memory: {} };

async function pay(): Promise<void> {
  const shop = await openShop();
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(scene.wallet);
  await buttonIn(shop, 'done');
}

/** Lets the wallet's clock run ahead, until its worker is killed. */
async function later(milliseconds: number): Promise<void> {
  await (
    await scene.wallet.worker()
  ).evaluate((ahead) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + ahead;
  }, milliseconds);
}

test('locked by hand: the popup forgets what it showed, takes only the right password, and opens again', async () => {
  const popup = await openPopup();
  await sees(popup, '5,000,000 satoshis');
  expect((await unlockedTraces()).sessions).toBe(1);
  await press(popup, texts.popup.lock);
  await sees(popup, texts.unlock.title);
  expect(await popup.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/satoshis|payer@/);
  expect(await unlockedTraces()).toEqual(LOCKED);
  await expect(ask(popup, 'account/sign-in', {})).rejects.toMatchObject({ code: 'wallet-locked' });

  await unlockByHand(popup, 'violet-harbour-mango-43');
  await sees(popup, ERRORS['wrong-password'].message);
  expect(await unlockedTraces()).toEqual(LOCKED);
  await unlockByHand(popup, PASSWORD);
  await sees(popup, '5,000,000 satoshis');
});

test('locked by time: from the chosen minute on nothing is signed, although nobody pressed anything', async () => {
  await ask(scene.page, 'settings/change', { lockAfterMinutes: 1 });
  await ask(scene.page, 'vault/lock', {});
  await ask(scene.page, 'vault/unlock', { password: PASSWORD });
  const { lockAt } = await ask(scene.page, 'vault/status', {});
  expect((lockAt as number) - Date.now()).toBeLessThanOrEqual(60_000);
  await ask(scene.page, 'account/sign-in', {}); // the worker holds the seed from here on
  await later(60_001);
  await expect(ask(scene.page, 'account/sign-in', {})).rejects.toMatchObject({ code: 'wallet-locked' });
  expect(await ask(scene.page, 'vault/status', {})).toMatchObject({ locked: true, lockAt: null });
  expect(await unlockedTraces()).toEqual(LOCKED);
  const popup = await openPopup();
  await sees(popup, texts.unlock.title);
  await scene.wallet.killWorker();
  expect(await ask(scene.page, 'vault/status', {})).toMatchObject({ locked: true });
});

test('a stored time that has passed locks a new worker before it does anything else', async () => {
  await ask(scene.page, 'vault/unlock', { password: PASSWORD });
  await scene.wallet.killWorker();
  await scene.page.evaluate(async () => {
    const open = indexedDB.open('service-button');
    const db = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
    const store = db.transaction('keyval', 'readwrite').objectStore('keyval');
    const get = store.get('session');
    await new Promise(
      (resolve) =>
        (get.onsuccess = () => (store.put({ ...get.result, lockAt: Date.now() - 1 }, 'session').onsuccess = resolve)),
    );
    db.close();
  });
  await expect(ask(scene.page, 'account/sign-in', {})).rejects.toMatchObject({ code: 'wallet-locked' });
  expect(await unlockedTraces()).toEqual(LOCKED);
});

test('locked while an approval was being read: it asks for the password, and then pays once', async () => {
  await ask(scene.page, 'settings/change', { lockAfterMinutes: 1 });
  await ask(scene.page, 'vault/unlock', { password: PASSWORD });
  const paidBefore = (await scene.paid()).length;
  const shop = await openShop();
  await swipe(shop, await buttonIn(shop, 'ready'));
  const approval = await readyApproval(scene.wallet);
  expect(await approval.$('input[type=password]')).toBeNull();
  await later(60_001);
  await pressWhenReady(approval, 'button[data-action=pay]');
  await approval.waitForSelector('input[type=password]');
  expect((await scene.paid()).length).toBe(paidBefore);
  await approve(scene.wallet, PASSWORD);
  await buttonIn(shop, 'done');
  expect((await scene.paid()).length).toBe(paidBefore + 1);
  await scene.wallet.killWorker();
});

test('a browser that is started again has the wallet locked, with its coins, payments and account, and no old approval', async () => {
  await ask(scene.page, 'settings/change', { lockAfterMinutes: 60 });
  await ask(scene.page, 'vault/unlock', { password: PASSWORD });
  const facts = async () => {
    const { account, satoshis, receiveAddress } = await ask(scene.page, 'wallet/overview', {});
    // Whether the index has shown a coin already is a matter of the moment.
    const coins = (await stored(scene.page, 'coins')).map((coin) => ({ ...coin, seen: null }));
    return { account, satoshis, receiveAddress, coins, settings: await ask(scene.page, 'settings/read', {}) };
  };
  await pay();
  const before = await facts();
  const { items } = await ask(scene.page, 'activity/list', { limit: 50 });
  expect(items.map(({ direction }) => direction)).toContain('sent');
  const shop = await scene.shop();
  await swipe(shop, await buttonIn(shop, 'ready'));
  await readyApproval(scene.wallet);
  const { extensionId } = scene.wallet;
  await scene.wallet.close();

  pages = [];
  scene.wallet = await launchWallet({ userDataDir });
  expect(scene.wallet.extensionId).toBe(extensionId);
  scene.page = await scene.wallet.open('popup');
  await sees(scene.page, texts.unlock.title);
  await expect(ask(scene.page, 'account/sign-in', {})).rejects.toMatchObject({ code: 'wallet-locked' });
  expect(await unlockedTraces()).toEqual(LOCKED);
  await unlockByHand(scene.page, PASSWORD);
  await sees(scene.page, `${Number(before.satoshis).toLocaleString('en')} satoshis`);
  expect(await facts()).toEqual(before);
  const now = (await ask(scene.page, 'activity/list', { limit: 50 })).items;
  expect(now.filter(({ status }) => status !== 'FAILED').map(({ id }) => id)).toEqual(
    items.filter(({ status }) => status !== 'FAILED').map(({ id }) => id),
  );
  await vi.waitFor(
    async () => {
      expect(
        (await stored<{ state: string }>(scene.page, 'payments')).filter(({ state }) => state === 'requested'),
      ).toEqual([]);
    },
    { interval: 200 },
  );

  await pay();
});
