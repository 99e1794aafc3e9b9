import { expect, test } from 'vitest';
import { ERRORS } from '../../protocol/errors/service-error.ts';
import { passkeyTexts as t, texts } from '../../extension/ui/texts/texts.ts';
import { fill, press, sees, unlockByHand } from '../../tooling/drive/onboarding.ts';
import {
  ask,
  goTo,
  PASSWORD,
  buttonIn,
  pressWhenReady,
  readyApproval,
  stored,
  swipe,
} from '../../tooling/drive/wallet.ts';
import {
  usePasskeyScene,
  scene,
  popup,
  cdp,
  authenticatorId,
  plugIn,
  addPasskey,
  withPasskey,
  lockAndReload,
  pictures,
} from './passkey-stage.ts';

usePasskeyScene();

async function lockWithout(): Promise<void> {
  await ask(popup, 'vault/lock', {});
  await popup.reload();
  await sees(popup, texts.unlock.title);
  expect(await popup.evaluate(() => document.body.innerText)).not.toContain(t.unlock);
}

test('a wrong password creates a passkey neither in the wallet nor on the device', async () => {
  await addPasskey('Laptop', 'not-the-password');
  await sees(popup, ERRORS['wrong-password'].message);
  expect((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toEqual([]);
  expect((await ask(popup, 'passkeys/list', {})).passkeys).toEqual([]);
});

test('an unknown passkey leads back to the password', async () => {
  await withPasskey();
  await lockAndReload();
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await press(popup, t.unlock);
  await sees(popup, t.cancelled);
  await pictures('cancelled');
  await unlockByHand(popup, PASSWORD);
  await sees(popup, '3,000,000 satoshis');
});

test('the password opens the wallet if the passkey is lost or removed in the system’s settings', async () => {
  await withPasskey();
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
  await lockAndReload();
  await press(popup, t.unlock);
  await sees(popup, t.cancelled);
  await unlockByHand(popup, PASSWORD);
  await sees(popup, '3,000,000 satoshis');
  await goTo(popup, 'popup/settings');
  expect((await ask(popup, 'vault/show-words', { password: PASSWORD })).words).toBe(scene.words);
});

test('an authenticator without the PRF extension gets no passkey, and the window explains the alternatives', async () => {
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  await plugIn(false);
  await addPasskey();
  await sees(popup, t.unsuitable);
  await pictures('unsuitable');
  expect((await ask(popup, 'passkeys/list', {})).passkeys).toEqual([]);
  await lockWithout();
});

test('a device with a passkey doesn’t get a second one', async () => {
  await withPasskey();
  await fill(popup, t.password, PASSWORD);
  await press(popup, t.add);
  await sees(popup, t.already);
  expect((await ask(popup, 'passkeys/list', {})).passkeys).toHaveLength(1);
});

test('a passkey unlocks the wallet in a payment window without paying', async () => {
  await withPasskey();
  const shop = await scene.shop();
  await ask(popup, 'vault/lock', {});
  await swipe(shop, await buttonIn(shop, 'ready'));
  const approval = await readyApproval(scene.wallet);
  // The authenticator is available only in this page, so the prompt is opened here instead of in its window.
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
  await approval.close().catch(() => undefined); // The window may have closed by itself since the decision.
  await shop.close();
});
