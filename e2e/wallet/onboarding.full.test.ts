import { expect, test, vi } from 'vitest';
import type { Page } from 'puppeteer-core';
import { ERRORS } from '../../protocol/errors/service-error.ts';
import { onboardingTexts as t, serviceTexts, texts } from '../../extension/ui/texts/texts.ts';
import type { WalletBrowser } from '../../tooling/drive/browser.ts';
import { cutOff, LANGUAGES, speakIn } from '../drive/cut-off.ts';
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
import { startService } from '../../tooling/drive/service.ts';
import { ask, PASSWORD } from '../../tooling/drive/wallet.ts';
import {
  useOnboardingScene,
  OTHER_PASSWORD,
  closeBrowser,
  faults,
  site,
  publicUrl,
  wallet,
  newBrowser,
  faucet,
  satoshisOf,
  spendable,
  pay,
  livelyWallet,
} from './onboarding-stage.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';

useOnboardingScene();

/** Creates a wallet in the windows, up to the choice of its account's service. */
async function askedForAccount(): Promise<{ page: Page; words: string }> {
  const page = await openOnboarding(await newBrowser(), publicUrl);
  await press(page, t.start.create);
  await choosePassword(page, PASSWORD);
  const words = await copyWords(page);
  await checkWords(page, words);
  await sees(page, serviceTexts.legend);
  return { page, words };
}

test('a wallet without an account pays, is paid by address, and is restored from its words', async () => {
  const { page, words } = await askedForAccount();
  await page.click('input[value=none]');
  await press(page, serviceTexts.goOn);
  await sees(page, t.done.title);
  await press(page, texts.faucet.get);
  await sees(page, '10,000,000 satoshis');
  await pay(wallet as WalletBrowser, '0.10');
  const { account, receiveAddress } = await ask(page, 'wallet/overview', {});
  expect(account).toBeNull();
  await faucet(receiveAddress, 54_321);
  await ask(page, 'wallet/refresh', {});
  const satoshis = await satoshisOf(page);
  expect(satoshis).toBeGreaterThan(800_000n);

  // The popup doesn't search for an account, because the user has declined one.
  const popup = await (wallet as WalletBrowser).open('popup');
  await press(popup, texts.popup.noAccount);
  await sees(popup, serviceTexts.elsewhere);
  expect(await ask(popup, 'settings/read', {})).toMatchObject({ noAccount: true });

  const restored = await restoreByHand(await newBrowser(), { serviceUrl: publicUrl, password: OTHER_PASSWORD, words });
  await sees(restored, serviceTexts.legend);
  await restored.click('input[value=none]');
  await press(restored, serviceTexts.goOn);
  await sees(restored, t.done.scanDone);
  expect(await satoshisOf(restored)).toBe(satoshis);
});

test('a restore of a wallet with an account at another service prompts for that service', async () => {
  const other = await startService({
    ARC_URL: `${publicUrl}/devnet/arc`,
    WOC_URL: `${publicUrl}/devnet/woc/v1/bsv/test`,
  });
  try {
    const { page, words } = await askedForAccount();
    await page.click('input[value=other]');
    for (const [address, code] of [
      ['http://pay.example', 'invalid-service-address'],
      [site.origin, 'not-a-service'],
    ] as const) {
      await fill(page, serviceTexts.address, address);
      await press(page, serviceTexts.use);
      await sees(page, `${ERRORS[code].message} ${serviceTexts.unchanged}`);
      expect((await ask(page, 'settings/read', {})).serviceUrl).toBe(publicUrl);
    }
    await fill(page, serviceTexts.address, other.url);
    await press(page, serviceTexts.use);
    await fill(page, texts.handle.label, 'far.away');
    await sees(page, texts.handle.free({ handle: 'far.away' }));
    await press(page, texts.handle.register);
    await sees(page, t.done.account({ paymail: 'far.away@localhost' }));
    const isFree = async (at: string) =>
      ((await (await fetch(`${at}/api/v2/handles/far.away`)).json()) as { available: boolean }).available;
    expect([await isFree(other.url), await isFree(publicUrl)]).toEqual([false, true]);
    await press(page, texts.faucet.get);
    await sees(page, '10,000,000 satoshis');
    await pay(wallet as WalletBrowser, '0.10');

    const restored = await restoreByHand(await newBrowser(), {
      serviceUrl: publicUrl,
      password: OTHER_PASSWORD,
      words,
    });
    await sees(restored, serviceTexts.legend);
    await restored.click('input[value=other]');
    await fill(restored, serviceTexts.address, other.url);
    await press(restored, serviceTexts.use);
    await sees(restored, t.done.found({ handle: 'far.away' }));
  } finally {
    await closeBrowser();
    await other.stop();
  }
});

test('a wallet restored while the service is down gets its coins from the words, and its account when the service is back', async () => {
  const { words, satoshis, outpoints } = await livelyWallet('waits.long');
  const browser = await newBrowser();
  const first = await browser.open('onboarding');
  await ask(first, 'settings/change', { serviceUrl: publicUrl });
  await first.close();
  faults.when(/ \/api\/v2\//, 'refuse');
  const page = await restoreByHand(browser, { networkAt: publicUrl, password: OTHER_PASSWORD, words });
  await sees(page, ERRORS['service-unavailable'].message);
  await press(page, t.account.skip);
  await sees(page, t.done.scanDone);
  await sees(page, `${Number(satoshis).toLocaleString('en')} satoshis`);
  expect((await spendable(page)).map(({ outpoint }) => outpoint).sort()).toEqual(outpoints);

  faults.clear();
  const popup = await browser.open('popup');
  await press(popup, texts.popup.noAccount);
  await sees(popup, 'waits.long@localhost');
});

test('invalid words are rejected, and no wallet is created', async () => {
  const page = await openOnboarding(await newBrowser(), publicUrl);
  await press(page, t.start.restore);
  const wrong: [string, string][] = [
    ['legal winner thank', t.restore.wrongCount({ n: 3 })],
    [`${'abandon '.repeat(11)}ж`, t.restore.odd({ word: 'ж' })],
    ['abandon '.repeat(12).trim(), t.restore.invalid],
    [`${'abandon '.repeat(11)}zzz`, t.restore.unknown({ n: 12 })],
    [`${'abandon '.repeat(13)}about`, t.restore.wrongCount({ n: 14 })],
  ];
  for (const [words, complaint] of wrong) {
    await fill(page, t.restore.label, words);
    await press(page, t.restore.check);
    await sees(page, complaint);
  }
  for (const words of ['abandon '.repeat(12).trim(), 'legal', '']) {
    await expect(ask(page, 'vault/create', { words, password: PASSWORD, restored: true }), words).rejects.toMatchObject(
      { code: expect.stringMatching(/^invalid-/) },
    );
  }
  expect(await ask(page, 'vault/status', {})).toMatchObject({ exists: false });
});

test('no text of onboarding is cut off in any language at any width', async () => {
  const page = await openOnboarding(await newBrowser(), publicUrl);
  page.on('dialog', (dialog) => void dialog.accept()); // confirms leaving before the wallet is created
  const cut: string[] = [];
  for (const [code, { onboarding, secrets, general }] of LANGUAGES) {
    const look = async (name: string) => void cut.push(...(await cutOff(page, `${code} ${name}`)));
    const go = (text: string | undefined) => press(page, text ?? 'missing');
    await speakIn(page, code);
    await page.waitForSelector('.choice, button');
    await look('start');
    await go(onboarding?.start?.restore);
    await look('restore');
    await go(general?.back);
    await go(onboarding?.start?.create);
    for (const label of [general?.password, secrets?.password?.again]) await fill(page, label ?? 'missing', PASSWORD);
    await look('choose a password');
    await go(onboarding?.continue);
    await go(onboarding?.words?.show);
    await look('recovery words');
    await go(onboarding?.words?.written);
    await look('check');
  }
  expect(cut).toEqual([]);
});

test('coins that arrive during a refresh are found by a refresh right after it', async () => {
  const browser = await newBrowser();
  const page = await openOnboarding(browser, publicUrl);
  const { words } = await ask(page, 'vault/generate-words', {});
  const searches = () => faults.seen.filter((line) => /POST .*unspent\/all/.test(line)).length;
  // The proxy lets the first request for coins through, and holds the later ones.
  faults.when(/POST .*unspent\/all/, 'hold', 1);
  const before = searches();
  await ask(page, 'vault/create', { words, password: PASSWORD, restored: false });
  await vi.waitFor(() => expect(searches() - before).toBeGreaterThanOrEqual(2), { timeout: PATIENCE_MS });
  await faucet((await ask(page, 'wallet/overview', {})).receiveAddress, 12_345);
  const refreshed = ask(page, 'wallet/refresh', {});
  await ask(page, 'vault/status', {}); // a response proves that the wallet has begun to handle the refresh
  faults.clear();
  await refreshed;
  expect(await satoshisOf(page)).toBe(12_345n);
});
