/**
 * Tests that recovery words, keys, password and token are only in permitted locations after a session with payments and
 * errors.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Page } from 'puppeteer-core';
import { ERRORS } from '../../protocol/errors/service-error.ts';
import { onboardingTexts, texts } from '../../extension/ui/texts/texts.ts';
import { freePort } from '../../tooling/free-port.ts';
import { launchWallet, type WalletBrowser } from '../../tooling/drive/browser.ts';
import { startFaults, type Faults } from '../drive/faults.ts';
import {
  createWalletByHand,
  fill,
  openOnboarding,
  press,
  restoreByHand,
  sees,
  unlockByHand,
} from '../../tooling/drive/onboarding.ts';
import { dumpExtension, record, type Recording } from '../drive/record.ts';
import { ADDRESS } from '../drive/scene.ts';
import { filesBelow, foundIn, secretText, walletSecrets, type Secret } from '../drive/secrets.ts';
import { startService, type Service } from '../../tooling/drive/service.ts';
import { shopPage, startSite, type Site } from '../drive/site.ts';
import { approve, ask, buttonIn, refuse, stored, swipe } from '../../tooling/drive/wallet.ts';

const PASSWORD = 'pelican-drawer-ninety-oboe';
const WRONG_PASSWORD = 'tundra-kettle-forty-violin';

let service: Service;
let faults: Faults;
let site: Site;
let folder: string;
let wallet: WalletBrowser;
let recording: Recording;
let words: string;
let popup: Page;
let secrets: Secret[];
let tokens: Secret[];
let publicUrl: string;
/** All data that the shop's page and its scripts could see, including the page's storage. */
const shopSaw: string[] = [];
let unlocked: Awaited<ReturnType<typeof dumpExtension>>;
let locked: string;
let keys: { spendingXpub: string; identity: string };
/** The browser's files after this session, by path. */
let files: Map<string, Buffer>;
/** The browser's files after a session that restored the wallet, by path. */
let restoredFiles: Map<string, Buffer>;

async function openShop(): Promise<Page> {
  const shop = await wallet.browser.newPage();
  await shop.goto(`${site.origin}/`);
  await shop.evaluate(() => {
    const saw: string[] = [];
    Object.assign(window, { saw });
    addEventListener('message', ({ data }) => saw.push(JSON.stringify(data)));
  });
  return shop;
}

async function closeShop(shop: Page): Promise<void> {
  shopSaw.push(
    ...(await shop.evaluate(() => [
      ...(window as unknown as { saw: string[] }).saw,
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }),
      document.cookie,
      document.documentElement.outerHTML,
      JSON.stringify((window as unknown as { payments: unknown[]; errors: unknown[] }).payments),
      JSON.stringify((window as unknown as { errors: unknown[] }).errors),
    ])),
  );
  await shop.close();
}

/** Restores the wallet from its words in a separate browser, whose files are searched during the restore. */
async function restoreInto(userDataDir: string): Promise<void> {
  await rm(userDataDir, { recursive: true, force: true });
  wallet = await launchWallet({ userDataDir });
  const left = await openOnboarding(wallet, publicUrl);
  await press(left, onboardingTexts.start.restore);
  await press(left, texts.secret.show);
  await fill(left, onboardingTexts.restore.label, words);
  await left.goto(`${site.origin}/`); // the browser stores the fields of a page that the user leaves
  await left.goBack();
  const page = await restoreByHand(wallet, { password: PASSWORD, words });
  await sees(page, onboardingTexts.done.found({ handle: 'keeper' }));
  await wallet.close();
}

beforeAll(async () => {
  const port = await freePort();
  publicUrl = `http://localhost:${port}`;
  service = await startService({ BASE_URL: publicUrl }, { ownDatabase: true });
  faults = await startFaults(service.url, port);
  site = await startSite();
  site.page('/', shopPage(publicUrl, { to: ADDRESS, amount: '0.10', currency: 'USD' }));
  folder = await mkdtemp(join(tmpdir(), 'service-button-browser-'));
  wallet = await launchWallet({ userDataDir: folder });
  recording = record(wallet);
  await recording.hearWorker();
  const made = await createWalletByHand(wallet, { serviceUrl: publicUrl, password: PASSWORD, handle: 'keeper' });
  words = made.words;
  await press(made.page, texts.faucet.get);
  await sees(made.page, '10,000,000 satoshis');
  popup = await wallet.open('popup');

  const shop = await openShop();
  await shop.bringToFront();
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(wallet);
  await buttonIn(shop, 'done');
  await closeShop(shop);
  const refused = await openShop();
  await swipe(refused, await buttonIn(refused, 'ready'));
  await refuse(wallet);
  await buttonIn(refused, 'error');
  await closeShop(refused);

  await press(popup, texts.popup.lock);
  await unlockByHand(popup, WRONG_PASSWORD);
  await sees(popup, ERRORS['wrong-password'].message);
  await unlockByHand(popup, PASSWORD);
  await sees(popup, 'satoshis');
  await wallet.killWorker();
  await ask(popup, 'vault/status', {});
  await recording.hearWorker();

  await expect(ask(popup, 'vault/create', { words, password: PASSWORD, restored: false })).rejects.toThrow();
  await expect(ask(made.page, 'vault/create', { words, password: PASSWORD, restored: false })).rejects.toThrow();
  await expect(
    ask(made.page, 'vault/create', { words: `${words} ${words}`, password: PASSWORD, restored: false }),
  ).rejects.toThrow();
  faults.when(/ \/api\/v2\//, { status: 500, body: { error: { code: 'internal', message: 'x' } } });
  const later = await openShop();
  await swipe(later, await buttonIn(later, 'ready'));
  await approve(wallet);
  await buttonIn(later, 'done');
  faults.clear();
  await closeShop(later);
  await ask(made.page, 'wallet/refresh', {});
  await vi.waitFor(
    async () =>
      expect(
        (await stored<{ state: string }>(popup, 'payments')).filter(({ state }) => state === 'settled'),
      ).toHaveLength(2),
    { interval: 200 },
  );
  unlocked = await dumpExtension(popup);
  keys = (await stored<typeof keys>(popup, 'keyval')).find(({ spendingXpub }) => spendingXpub) as typeof keys;
  await press(popup, texts.popup.lock);
  await sees(popup, texts.unlock.title);
  locked = (await dumpExtension(popup)).text;
  await wallet.close();
  files = await filesBelow(folder);
  await restoreInto(folder);
  restoredFiles = await filesBelow(folder);

  secrets = [
    ...walletSecrets(words),
    secretText('the password', PASSWORD),
    secretText('the mistyped password', WRONG_PASSWORD),
  ];
  // ARC's callback token is excluded. The token grants no access, and the service must store it.
  tokens = [...faults.bearers]
    .filter((token) => token.startsWith('wallet_'))
    .map((token) => secretText('the bearer token', token));
});
afterAll(async () => {
  await wallet?.close();
  await Promise.all([site?.stop(), faults?.stop()]);
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the search of this test finds every form of every secret', () => {
  expect(secrets.length).toBeGreaterThan(150);
  expect(tokens.length).toBeGreaterThan(0);
  for (const secret of [...secrets, ...tokens]) {
    for (const form of secret.forms) {
      expect(form.length, secret.name).toBeGreaterThan(8);
      expect(foundIn(Buffer.concat([Buffer.from('before'), form, Buffer.from('after')]), [secret])).toEqual([
        secret.name,
      ]);
    }
  }
  expect(foundIn('nothing of it', secrets)).toEqual([]);
});

test('an unlocked wallet stores its keys encrypted, and neither token nor password', () => {
  const { text, extractable } = unlocked;
  for (const there of ['storage.session', 'unlock-half', 'outerIv', 'CryptoKey AES-GCM', keys.spendingXpub, ADDRESS])
    expect(text).toContain(there);
  expect(extractable).toEqual([]);
  for (const bytes of [Buffer.from(text), Buffer.from(text, 'latin1')])
    expect(foundIn(bytes, [...secrets, ...tokens])).toEqual([]);
});

test('no URL, request or response contains a secret, except the token in a header to the service', () => {
  expect(recording.requests.join('\n')).toContain('/api/v2/sign-in/challenges');
  expect([...recording.addresses].join('\n')).toContain('/extension/approval/index.html?id=');
  for (const lines of [recording.requests, [...recording.addresses], faults.seen])
    expect(foundIn(lines.join('\n'), [...secrets, ...tokens])).toEqual([]);
});

test('a shop’s page sees the payment and no secret', () => {
  const all = shopSaw.join('\n');
  expect(all).toMatch(/"txid":"[0-9a-f]{64}"/);
  expect(all).toContain('"code":"refused"');
  expect(foundIn(all, [...secrets, ...tokens])).toEqual([]);
});

test('no console of any page or of the service worker contains a secret', () => {
  expect(foundIn(recording.consoles.join('\n'), [...secrets, ...tokens])).toEqual([]);
});

test('the service’s log and files contain the account but no secret, and the token only as its hash', async () => {
  expect(service.log()).toContain('/api/v2/payments');
  expect(foundIn(service.log(), [...secrets, ...tokens])).toEqual([]);
  const kept = await filesBelow(service.directory);
  expect(foundIn(Buffer.concat([...kept.values()]), [secretText('the handle', 'keeper')])).toEqual(['the handle']);
  for (const [path, bytes] of kept) expect(foundIn(bytes, [...secrets, ...tokens]), path).toEqual([]);
});

test('a locked wallet stores neither half of the seal', () => {
  expect(locked).toContain('ciphertext'); // only the vault remains
  expect(locked).not.toMatch(/outerIv|innerIv|lockAt|unlock-half|CryptoKey/);
  expect(foundIn(locked, [...secrets, ...tokens])).toEqual([]);
});

test('the browser’s files contain the public key and no secret after it was closed', () => {
  expect(foundIn(Buffer.concat([...files.values()]), [secretText('the identity', keys.identity)])).toEqual([
    'the identity',
  ]);
  for (const [path, bytes] of files) expect(foundIn(bytes, [...secrets, ...tokens]), path).toEqual([]);
});

test('words typed and shown during a restore aren’t written to the browser’s files', () => {
  expect([...restoredFiles.keys()].filter((path) => path.includes('Sessions/Session_'))).not.toEqual([]);
  for (const [path, bytes] of restoredFiles) expect(foundIn(bytes, secrets), path).toEqual([]);
});
