import { expect, test } from 'vitest';
import { texts } from '../../extension/ui/texts/texts.ts';
import { sees, press, unlockByHand } from '../../tooling/drive/onboarding.ts';
import { approve, ask, buttonIn, PASSWORD, pressWhenReady, readyApproval, swipe } from '../../tooling/drive/wallet.ts';
import { useLockingScene, scene, openPopup, openShop, unlockedTraces, LOCKED } from './locking-stage.ts';
import { ERRORS } from '../../protocol/errors/service-error.ts';

useLockingScene();

async function later(milliseconds: number): Promise<void> {
  await (
    await scene.wallet.worker()
  ).evaluate((ahead) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + ahead;
  }, milliseconds);
}

test('the wallet locks after the chosen time, and signs nothing more', async () => {
  await ask(scene.page, 'settings/change', { lockAfterMinutes: 1 });
  await ask(scene.page, 'vault/lock', {});
  await ask(scene.page, 'vault/unlock', { password: PASSWORD });
  const { lockAt } = await ask(scene.page, 'vault/status', {});
  expect((lockAt as number) - Date.now()).toBeLessThanOrEqual(60_000);
  await ask(scene.page, 'account/sign-in', {}); // loads the seed into the worker's memory
  await later(60_001);
  await expect(ask(scene.page, 'account/sign-in', {})).rejects.toMatchObject({ code: 'wallet-locked' });
  expect(await ask(scene.page, 'vault/status', {})).toMatchObject({ locked: true, lockAt: null });
  expect(await unlockedTraces()).toEqual(LOCKED);
  const popup = await openPopup();
  await sees(popup, texts.unlock.title);
  await scene.wallet.killWorker();
  expect(await ask(scene.page, 'vault/status', {})).toMatchObject({ locked: true });
});

test('a new worker locks first if the stored time has passed', async () => {
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

test('an approval window prompts for the password if the wallet was locked in between, and then pays once', async () => {
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

test('a popup locked by the user hides its content, and opens only with the right password', async () => {
  const popup = await openPopup();
  await sees(popup, 'satoshis');
  const [balance = ''] = /[\d,]+ satoshis/.exec(await popup.evaluate(() => document.body.innerText)) ?? [];
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
  await sees(popup, balance);
});
