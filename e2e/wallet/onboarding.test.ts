/** Tests creating a wallet, and restoring it from its recovery words, in the wallet's own windows. */
import * as secp256k1 from '@noble/secp256k1';
import { HDKey } from '@scure/bip32';
import { expect, test } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { ERRORS } from '../../protocol/errors/service-error.ts';
import { signMessage } from '../../wallet/keys/ecdsa.ts';
import { onboardingTexts as t, secretTexts, texts } from '../../extension/ui/texts/texts.ts';
import { extensionId, extensionKey } from '../../tooling/extension-key.ts';
import type { WalletBrowser } from '../../tooling/drive/browser.ts';
import {
  checkWords,
  choosePassword,
  copyWords,
  fill,
  openOnboarding,
  press,
  restoreByHand,
  sees,
} from '../../tooling/drive/onboarding.ts';
import { postJson } from '../../tooling/drive/service.ts';
import { ask, PASSWORD } from '../../tooling/drive/wallet.ts';
import {
  useOnboardingScene,
  OTHER_PASSWORD,
  publicUrl,
  wallet,
  newBrowser,
  satoshisOf,
  spendable,
  pay,
  livelyWallet,
} from './onboarding-stage.ts';

useOnboardingScene();

/** Creates another user's account through the service's API. */
async function registerElsewhere(handle: string): Promise<void> {
  const root = HDKey.fromMasterSeed(crypto.getRandomValues(new Uint8Array(64)));
  const key = root.derive("m/0'/236'/0'/0/0").privateKey as Uint8Array;
  const publicKey = toHex(secp256k1.getPublicKey(key, true));
  const register = { handle, name: '', receivingXpub: root.derive("m/44'/236'/2'").publicExtendedKey };
  const { message, nonce } = await postJson<{ message: string; nonce: string }>(
    `${publicUrl}/api/v2/sign-in/challenges`,
    { publicKey, register },
  );
  await postJson(`${publicUrl}/api/v2/users`, {
    publicKey,
    nonce,
    signature: signMessage(new TextEncoder().encode(message), key),
  });
}

test('onboarding rejects a weak password, a wrong word and a handle in use, then the new wallet gets coins', async () => {
  await registerElsewhere('taken.one');
  const { extensionId: id } = await newBrowser();
  expect(id, 'the id that docs/publishing.md promises').toBe(extensionId(extensionKey()));
  const page = await openOnboarding(wallet as WalletBrowser, publicUrl);
  await press(page, t.start.create);

  await choosePassword(page, 'password1234');
  await sees(page, secretTexts.password.weak);
  await choosePassword(page, PASSWORD, `${PASSWORD}x`);
  await sees(page, secretTexts.password.differ);
  await choosePassword(page, PASSWORD);

  await sees(page, t.words.title);
  expect(await page.$('.word-cells')).toBeNull();
  const words = await copyWords(page);
  expect(words).toMatch(/^(?:[a-z]{3,8} ){11}[a-z]{3,8}$/);
  await checkWords(page, words, false);
  await sees(page, 'That’s not word');
  expect(await ask(page, 'vault/status', {})).toMatchObject({ exists: false });
  await checkWords(page, words);

  await sees(page, t.account.title);
  expect(await ask(page, 'vault/status', {})).toMatchObject({ exists: true, locked: false });
  const left = await page.evaluate(() => document.documentElement.outerHTML);
  // A page can contain some of the words by chance ("remember", "art"). A leak would contain most of them.
  expect(words.split(' ').filter((word) => left.includes(word)).length).toBeLessThan(9);
  expect(left).not.toContain(PASSWORD);

  await fill(page, texts.handle.label, 'taken.one');
  await sees(page, ERRORS['handle-taken'].message);
  expect(
    await page.$$eval(
      'button',
      (all, name) => all.find((one) => one.textContent === name)?.disabled,
      texts.handle.register,
    ),
  ).toBe(true);
  await fill(page, texts.handle.label, 'quick.one');
  await sees(page, texts.handle.free({ handle: 'quick.one' }));
  await registerElsewhere('quick.one'); // another user registers the handle first
  await press(page, texts.handle.register);
  await sees(page, ERRORS['handle-taken'].message);
  await fill(page, texts.handle.label, 'free.one');
  await sees(page, texts.handle.free({ handle: 'free.one' }));
  await press(page, texts.handle.register);
  await sees(page, t.done.account({ paymail: 'free.one@localhost' }));
  expect(await (await fetch(`${publicUrl}/api/v2/handles/free.one`)).json()).toMatchObject({ available: false });

  await press(page, texts.faucet.get);
  await sees(page, '10,000,000 satoshis');
  expect(await satoshisOf(page)).toBe(10_000_000n);
});

test('a wallet restored in another browser has its account and every coin, and can spend them', async () => {
  const { words, satoshis, outpoints, account } = await livelyWallet('comes.back');
  const browser = await newBrowser();
  const page = await restoreByHand(browser, {
    serviceUrl: publicUrl,
    password: OTHER_PASSWORD,
    words: words.toUpperCase().replaceAll(' ', '  '),
  });
  await sees(page, t.done.found({ handle: 'comes.back' }));
  await sees(page, t.done.scanDone);
  await sees(page, `${Number(satoshis).toLocaleString('en')} satoshis`);
  expect((await spendable(page)).map(({ outpoint }) => outpoint).sort()).toEqual(outpoints);
  expect(await ask(page, 'wallet/overview', {})).toMatchObject({
    account,
    satoshis: satoshis.toString(),
    scan: null,
    problem: null,
  });

  // Earlier payments are shown as paid. Change isn't listed.
  const popup = await browser.open('popup');
  await popup.waitForFunction(
    () => document.querySelectorAll('.activity').length === 9 && !document.querySelector('[data-part=history]'),
  );
  const { items } = await ask(popup, 'activity/list', { limit: 100 });
  const sent = items.filter(({ direction }) => direction === 'sent');
  expect(sent.map((one) => one.satoshis).sort()).toEqual(['400000', '500000', '600000']);
  const received = items.filter(({ direction }) => direction === 'received').map((one) => Number(one.satoshis));
  expect(received.sort((a, b) => a - b)).toEqual([111_000, 222_000, 333_000, 500_000, 600_000, 700_000]);
  await popup.close();

  // Spends almost the whole balance so that inputs from every address chain are signed.
  const all = (Number(satoshis - 20_000n) / 2_000_000).toFixed(2);
  await pay(browser, all);
  expect(await satoshisOf(page)).toBeLessThan(satoshis - BigInt(Math.round(Number(all) * 2_000_000)));
});
