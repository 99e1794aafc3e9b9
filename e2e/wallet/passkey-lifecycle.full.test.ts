/** Tests passkeys with Chromium's virtual authenticator: adding, using, listing, removing and losing a passkey. */
import { expect, test } from 'vitest';
import { passkeyTexts as t, texts } from '../../extension/ui/texts/texts.ts';
import { axe } from '../drive/axe.ts';
import { press, sees, unlockByHand } from '../../tooling/drive/onboarding.ts';
import { ask, goTo, PASSWORD } from '../../tooling/drive/wallet.ts';
import { usePasskeyScene, popup, addPasskey, lockAndReload, pictures } from './passkey-stage.ts';

usePasskeyScene();

test('a passkey is added with the password, unlocks by touch, is listed, and is removed', async () => {
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
  await press(popup, t.remove({ name: 'Laptop' }));
  await sees(popup, t.keep);
  await pictures('remove-sure');
  expect(await axe(popup)).toEqual([]);
  await press(popup, t.removeSure);
  await sees(popup, t.removed);
  await sees(popup, t.none);
  await pictures('removed');
  await ask(popup, 'vault/lock', {});
  await goTo(popup, 'popup');
  await unlockByHand(popup, PASSWORD);
  await sees(popup, '3,000,000 satoshis');
});
