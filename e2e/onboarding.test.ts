/** From nothing to a wallet, and back to it from the words alone, through the wallet's own windows. */
import { sha256 } from '@noble/hashes/sha2.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import * as secp256k1 from '@noble/secp256k1';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { writeAddress } from '../protocol/address.ts';
import { toHex } from '../protocol/bytes.ts';
import { ERRORS } from '../protocol/errors.ts';
import { signMessage } from '../extension/background/vault/signed-message.ts';
import { onboardingTexts as t } from '../extension/ui/texts-onboarding.ts';
import { secretTexts } from '../extension/ui/texts-secrets.ts';
import { serviceTexts } from '../extension/ui/texts-service.ts';
import { texts } from '../extension/ui/texts.ts';
import { extensionId, extensionKey } from '../scripts/extension-key.ts';
import { freePort } from '../scripts/free-port.ts';
import { launchWallet, type WalletBrowser } from './drive/browser.ts';
import { cutOff, LANGUAGES, speakIn } from './drive/cut-off.ts';
import { startFaults, type Faults } from './drive/faults.ts';
import {
  checkWords,
  choosePassword,
  copyWords,
  createWalletByHand,
  fill,
  openOnboarding,
  press,
  restoreByHand,
  sees,
} from './drive/onboarding.ts';
import { ADDRESS } from './drive/scene.ts';
import { postJson, startService, type Service } from './drive/service.ts';
import { shopPage, startSite, type Site } from './drive/site.ts';
import { approve, ask, buttonIn, PASSWORD, quickWallet, stored, swipe } from './drive/wallet.ts';

const OTHER_PASSWORD = 'quilt-under-seven-lanterns';
interface StoredCoin {
  outpoint: string;
  status: string;
  chain: string;
  index: number;
  satoshis: string;
}

let service: Service;
let faults: Faults;
let site: Site;
let publicUrl: string;
let wallet: WalletBrowser | undefined;

beforeAll(async () => {
  const port = await freePort();
  publicUrl = `http://localhost:${port}`;
  service = await startService({ BASE_URL: publicUrl });
  faults = await startFaults(service.url, port);
  site = await startSite();
});
afterAll(async () => {
  await Promise.all([site?.stop(), faults?.stop()]);
  await service?.stop();
});
afterEach(async () => {
  faults.clear();
  await wallet?.close();
  wallet = undefined;
});

/** The wallet of a test, in a browser of its own. */
async function newBrowser(): Promise<WalletBrowser> {
  await wallet?.close();
  wallet = await launchWallet();
  return wallet;
}

/** Someone else's account, made by the service's own interface. */
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

/** Where a wallet with these words is paid, worked out without any of the wallet's code but the form of an address. */
function addressAt(words: string, path: string): string {
  const { publicKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(path);
  return writeAddress(ripemd160(sha256(publicKey as Uint8Array)), 'devnet');
}

const faucet = (address: string, satoshis: number) => postJson(`${service.url}/devnet/faucet`, { address, satoshis });
const satoshisOf = async (page: Page) => BigInt((await ask(page, 'wallet/overview', {})).satoshis);
const spendable = async (page: Page) =>
  (await stored<StoredCoin>(page, 'coins')).filter(({ status }) => status === 'available');

/** Pays by a swipe in a page of the shop. */
async function pay(from: WalletBrowser, amount: string): Promise<void> {
  site.page('/', shopPage(publicUrl, { to: ADDRESS, amount, currency: 'USD' }));
  const shop = await from.browser.newPage();
  await shop.goto(`${site.origin}/`);
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(from);
  await buttonIn(shop, 'done');
  await shop.close();
}

test('a new wallet: a weak password, a wrong word and a handle in use are rejected, then it is ready and gets coins', async () => {
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
  // The page may contain some of them by chance ("remember", "art"); a leak would be all of them, or most.
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
  await sees(page, texts.handle.free('quick.one'));
  await registerElsewhere('quick.one'); // someone is quicker
  await press(page, texts.handle.register);
  await sees(page, ERRORS['handle-taken'].message);
  await fill(page, texts.handle.label, 'free.one');
  await sees(page, texts.handle.free('free.one'));
  await press(page, texts.handle.register);
  await sees(page, t.done.account('free.one@localhost'));
  expect(await (await fetch(`${publicUrl}/api/v2/handles/free.one`)).json()).toMatchObject({ available: false });

  await press(page, texts.faucet.get);
  await sees(page, '10,000,000 satoshis');
  expect(await satoshisOf(page)).toBe(10_000_000n);
});

test('a wallet that exists is not made again, nor replaced', async () => {
  const browser = await newBrowser();
  const { page } = await createWalletByHand(browser, { serviceUrl: publicUrl, password: PASSWORD, handle: 'only.one' });
  // The sealed words, and the keys that came from them; rates and the like may change meanwhile.
  const keysOf = async () => (await stored(page, 'keyval')).filter((record) => 'kdf' in record || 'identity' in record);
  const before = await keysOf();
  expect(before).toHaveLength(2);
  const again = await browser.open('onboarding');
  await sees(again, t.exists.title);
  const { words } = await ask(again, 'vault/generate-words', {});
  await expect(ask(again, 'vault/create', { words, password: OTHER_PASSWORD, restored: true })).rejects.toMatchObject({
    code: 'vault-exists',
  });
  expect(await keysOf()).toEqual(before);
});

test('coins that arrive during a refresh are found by a refresh right after it', async () => {
  const browser = await newBrowser();
  const page = await openOnboarding(browser, publicUrl);
  const { words } = await ask(page, 'vault/generate-words', {});
  const looked = faults.next(/POST .*unspent\/all/);
  await ask(page, 'vault/create', { words, password: PASSWORD, restored: false });
  await looked;
  faults.when(/POST .*unspent\/all/, 'hold'); // the first addresses were searched, the search continues
  await faults.next(/POST .*unspent\/all/);
  await faucet((await ask(page, 'wallet/overview', {})).receiveAddress, 12_345);
  const refreshed = ask(page, 'wallet/refresh', {});
  await ask(page, 'vault/status', {}); // answered after the wallet has heard of the refresh
  faults.clear();
  await refreshed;
  expect(await satoshisOf(page)).toBe(12_345n);
});

/** A wallet that has received on several addresses of all three chains, and paid, with change. */
async function livelyWallet(
  handle: string,
): Promise<{ words: string; satoshis: bigint; outpoints: string[]; account: unknown }> {
  const browser = await newBrowser();
  const { words, page } = await quickWallet(browser, { serviceUrl: publicUrl, handle });
  for (const satoshis of [700_000, 600_000, 500_000]) await ask(page, 'wallet/faucet', { satoshis });
  for (const amount of ['0.30', '0.20', '0.25']) await pay(browser, amount);
  await faucet(addressAt(words, "m/44'/236'/2'/0/0"), 111_000);
  await faucet(addressAt(words, "m/44'/236'/0'/0/22"), 222_000); // the last that twenty unused addresses let it see
  await postJson(`${service.url}/devnet/mine`, { blocks: 1 });
  await faucet(addressAt(words, "m/44'/236'/0'/0/5"), 333_000); // in no block yet
  await ask(page, 'wallet/refresh', {});
  const coins = await spendable(page);
  expect(new Set(coins.map(({ chain }) => chain))).toEqual(new Set(['receive', 'change', 'service']));
  expect(coins.map(({ index }) => index)).toContain(22);
  const { account } = await ask(page, 'wallet/overview', {});
  return { words, satoshis: await satoshisOf(page), outpoints: coins.map(({ outpoint }) => outpoint).sort(), account };
}

test('restored in another browser: the account, every coin and the balance are back, and can be spent', async () => {
  const { words, satoshis, outpoints, account } = await livelyWallet('comes.back');
  const browser = await newBrowser();
  const page = await restoreByHand(browser, {
    serviceUrl: publicUrl,
    password: OTHER_PASSWORD,
    words: words.toUpperCase().replaceAll(' ', '  '),
  });
  await sees(page, t.done.found('comes.back'));
  await sees(page, t.done.scanDone);
  await sees(page, `${Number(satoshis).toLocaleString('en')} satoshis`);
  expect((await spendable(page)).map(({ outpoint }) => outpoint).sort()).toEqual(outpoints);
  expect(await ask(page, 'wallet/overview', {})).toMatchObject({
    account,
    satoshis: satoshis.toString(),
    scan: null,
    problem: null,
  });

  // What was paid before stands as paid; change is no row.
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

  // All but a little: coins of every chain are signed for.
  const all = (Number(satoshis - 20_000n) / 2_000_000).toFixed(2);
  await pay(browser, all);
  expect(await satoshisOf(page)).toBeLessThan(satoshis - BigInt(Math.round(Number(all) * 2_000_000)));
});

/** A new wallet by hand, up to the question where its account is to be. */
async function askedForAccount(): Promise<{ page: Page; words: string }> {
  const page = await openOnboarding(await newBrowser(), publicUrl);
  await press(page, t.start.create);
  await choosePassword(page, PASSWORD);
  const words = await copyWords(page);
  await checkWords(page, words);
  await sees(page, serviceTexts.legend);
  return { page, words };
}

test('with no account at all: it pays, is paid by address, and comes back from its words', async () => {
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

  // The popup looks for no account that was not wanted.
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

test('with the account at another service, which is asked for it on restore', async () => {
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
    await sees(page, texts.handle.free('far.away'));
    await press(page, texts.handle.register);
    await sees(page, t.done.account('far.away@localhost'));
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
    await sees(restored, t.done.found('far.away'));
  } finally {
    await wallet?.close();
    wallet = undefined;
    await other.stop();
  }
});

test('restored while the service is down: the coins come from the words alone, the account once it is back', async () => {
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

test('words that are none are refused, and no wallet is made', async () => {
  const page = await openOnboarding(await newBrowser(), publicUrl);
  await press(page, t.start.restore);
  const wrong: [string, string][] = [
    ['legal winner thank', t.restore.wrongCount(3)],
    [`${'abandon '.repeat(11)}x`, t.restore.odd('x')],
    ['abandon '.repeat(12).trim(), t.restore.invalid],
    [`${'abandon '.repeat(11)}zzz`, t.restore.invalid],
    [`${'abandon '.repeat(13)}about`, t.restore.wrongCount(14)],
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

test('no text of the first steps is cut off, in any language, however narrow the page is', async () => {
  const page = await openOnboarding(await newBrowser(), publicUrl);
  page.on('dialog', (dialog) => void dialog.accept()); // left before the wallet is made
  const cut: string[] = [];
  for (const [code, { onboarding, secrets, texts: general }] of LANGUAGES) {
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
