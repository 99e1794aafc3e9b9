/**
 * Tests that a locked wallet reveals and signs nothing, whether it was locked by the user, a timeout or a browser
 * restart.
 */
import { expect, test, vi } from 'vitest';
import { texts } from '../../extension/ui/texts/texts.ts';
import { launchWallet } from '../../tooling/drive/browser.ts';
import { sees, unlockByHand } from '../../tooling/drive/onboarding.ts';
import { ask, buttonIn, PASSWORD, readyApproval, stored, swipe } from '../../tooling/drive/wallet.ts';
import { useLockingScene, scene, userDataDir, pages, unlockedTraces, LOCKED, pay } from './locking-stage.ts';

useLockingScene();

test('after a restart of the browser the wallet is locked, with its coins, payments and account, and without old approvals', async () => {
  await ask(scene.page, 'settings/change', { lockAfterMinutes: 60 });
  await ask(scene.page, 'vault/unlock', { password: PASSWORD });
  const facts = async () => {
    const { account, satoshis, receiveAddress } = await ask(scene.page, 'wallet/overview', {});
    // `seen` is ignored, because it depends on whether the index has already listed the coin.
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

  pages.length = 0;
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
