/**
 * What a person does with a wallet that is theirs: looks at its words, changes its password, takes it away, brings it
 * back.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { ERRORS } from '../protocol/errors.ts';
import type { Translation } from '../extension/ui/languages/translation.ts';
import { onboardingTexts } from '../extension/ui/texts-onboarding.ts';
import { secretTexts } from '../extension/ui/texts-secrets.ts';
import { settingsTexts as t } from '../extension/ui/texts-settings.ts';
import { texts } from '../extension/ui/texts.ts';
import { giveAssets } from './drive/assets.ts';
import { cutOff, LANGUAGES, ownWidth, speakIn } from './drive/cut-off.ts';
import { chooseDevnet, choosePassword, fill, press, sees, unlockByHand } from './drive/onboarding.ts';
import { paymentRequest, say } from './drive/raw-page.ts';
import { ADDRESS, setScene, type Scene } from './drive/scene.ts';
import { onStage } from './drive/stage.ts';
import { makeVisits } from './drive/visits.ts';
import { ask, buttonIn, PASSWORD, stored, swipe } from './drive/wallet.ts';

const NEW_PASSWORD = 'copper-lagoon-fifty-tulip';
const STORES = [
  'keyval',
  'addresses',
  'coins',
  'payments',
  'receipts',
  'allowances',
  'prompts',
  'sites',
  'totals',
  'headers',
];

let scene: Scene;
let popup: Page;
const visits = makeVisits(() => scene);
/** The wallet's password now. */
let password: string;

onStage(
  async () => {
    scene = await setScene({ satoshis: 3_000_000 });
    [popup, password] = [scene.page, PASSWORD];
  },
  () => scene?.end(),
);
beforeEach(async () => {
  await popup.reload();
  await press(popup, texts.popup.settings);
});
afterEach(async () => {
  scene.faults.clear();
});

const document = () => popup.evaluate(() => globalThis.document.documentElement.outerHTML);
const shownWords = () =>
  popup.$$eval('.word-cells li', (cells) => cells.map((cell) => cell.lastChild?.textContent ?? '').join(' '));
const balance = async (page: Page) => (await ask(page, 'wallet/overview', {})).satoshis;

/** Presses what a selector finds, once it is there. */
async function pressAt(selector: string): Promise<void> {
  await popup.waitForSelector(selector);
  await popup.click(selector);
}

/** Goes through the popup's pages in a language. `look` is called with the name of each. */
async function throughThePopup(t: Translation, look: (name: string) => Promise<void>): Promise<void> {
  const go = (text: string | undefined) => press(popup, text ?? 'missing');
  const { activity, allowance, appData, contacts, passkey, send, service, settings, shortcuts, swipes } = t;
  await look('activity');
  await popup.click('.activity > summary');
  await look('payment');
  await go(activity?.search);
  await look('search');
  await go(activity?.export);
  await look('export');
  await go(t.texts?.popup?.receive);
  await look('receive');
  await go(t.texts?.popup?.activity);
  await pressAt('[data-action=assets]');
  await popup.waitForSelector('.asset-picture img');
  await look('assets');
  await pressAt('.assets .list-row');
  await look('token');
  await pressAt('[data-action=send-asset]');
  await popup.type('.send-to', ADDRESS);
  await popup.type('.send-amount', '5.5');
  await look('send token');
  await pressAt('[data-action=review]');
  await popup.waitForSelector('[data-part=review-asset]');
  await look('check token');
  await go(t.texts?.popup?.activity);
  await go(send?.send);
  await popup.type('.send-to', ADDRESS);
  await popup.type('.send-amount', '0.10');
  await look('send');
  await go(contacts?.saveContact);
  await popup.waitForSelector('.contact-save input');
  await popup.type('.contact-save input', 'Ada');
  await popup.keyboard.press('Enter');
  await popup.waitForSelector('[data-part=recipient] [data-part=contact]');
  await pressAt('[data-action=scan]');
  await look('scan');
  await pressAt('[data-action=review]');
  await popup.waitForSelector('[data-action=send]');
  await look('check');
  await go(allowance?.sites);
  await look('sites');
  await go(swipes?.turnOn);
  await look('one-swipe payments');
  await go(t.texts?.popup?.settings);
  await look('settings');
  await go(contacts?.title);
  await look('contacts');
  await pressAt('[data-part=contacts] .list-row');
  await look('contact');
  await pressAt('[data-action=remove]');
  await look('remove contact');
  await pressAt('[data-action=remove-yes]');
  await popup.waitForSelector('.contacts .empty');
  await look('no contacts');
  await go(settings?.title);
  for (const [name, title] of Object.entries({
    service: service?.title,
    shortcuts: shortcuts?.title,
    words: settings?.words?.title,
    password: settings?.password?.title,
    passkeys: passkey?.title,
    'app-data': appData?.title,
    addresses: settings?.addresses,
    remove: settings?.remove?.row,
  })) {
    await go(title);
    await look(name);
    await go(t.texts?.back);
  }
}

test.each(LANGUAGES)('in %s, no text of the popup is cut off, however narrow it is', async (code, t) => {
  const cut: string[] = [];
  await giveAssets(scene, popup);
  await speakIn(popup, code);
  try {
    await popup.waitForSelector('.activity');
    await throughThePopup(t, async (name) => void cut.push(...(await cutOff(popup, `${code} ${name}`))));
  } finally {
    await ownWidth(popup);
    await speakIn(popup, 'system');
  }
  expect(cut).toEqual([]);
});

const OPERATIONS = [
  { name: 'mark', method: 'sign', data: 'I agree' },
  { name: 'sealed', method: 'encrypt', data: 'A secret' },
  { name: 'me', method: 'paymail' },
];
/** What an application asks of the wallet by `window.CWI`; it is answered after the test, if ever. */
const call = (method: string, args: object) => (page: Page) =>
  page.evaluate(
    (name, given) => void (window as unknown as { CWI: any }).CWI[name](given).catch(() => undefined),
    method,
    args,
  );
const COUNTERPARTY = `02${'c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'}`;
const asked: [string, (page: Page) => Promise<unknown>][] = [
  ['payment', (page) => say(page, paymentRequest('narrow-1', { label: 'Read it' }))],
  ['payment and operations', (page) => say(page, paymentRequest('narrow-2', { cryptoOperations: OPERATIONS }))],
  ['operations', (page) => say(page, paymentRequest('narrow-3', { outputs: [], cryptoOperations: OPERATIONS }))],
  ['allowance', (page) => say(page, { id: 'narrow-4', method: 'allowance/ask', params: { clientIdentifier: 'game' } })],
  ['connection', call('waitForAuthentication', {})],
  ['identity key', call('getPublicKey', { identityKey: true })],
  [
    'protocol',
    call('encrypt', {
      plaintext: [1, 2, 3],
      protocolID: [2, 'private letters between friends'],
      keyID: 'letter 1',
      counterparty: COUNTERPARTY,
    }),
  ],
  ['basket', call('listOutputs', { basket: 'the letters of my friends' })],
  [
    'action',
    call('createAction', {
      description: 'Keep a letter that was sealed',
      labels: ['letters'],
      outputs: [
        {
          lockingScript: `76a914${'11'.repeat(20)}88ac`,
          satoshis: 1200,
          outputDescription: 'The sealed letter',
        },
        { lockingScript: '006a0568656c6c6f', satoshis: 0, outputDescription: 'A greeting' },
      ],
    }),
  ],
];
test.each(asked)(
  'no text of the window for %s is cut off, in any language, however narrow it is',
  async (name, asks) => {
    const cut: string[] = [];
    try {
      const { page } = await visits.openSite();
      await asks(page);
      const approval = await scene.wallet.approval();
      for (const locked of [false, true]) {
        if (locked) await ask(popup, 'vault/lock', {});
        for (const [code] of LANGUAGES) {
          await speakIn(popup, code, approval);
          await approval.waitForSelector('button[data-action]');
          cut.push(...(await cutOff(approval, `${code} ${name}${locked ? ' locked' : ''}`)));
        }
      }
    } finally {
      await visits.end();
      await ask(popup, 'vault/unlock', { password });
      await speakIn(popup, 'system');
    }
    expect(cut).toEqual([]);
  },
);

test('the words show for the password, and not to a page that is out of sight', async () => {
  await press(popup, t.words.title);
  await fill(popup, t.words.password, 'not-the-password');
  await press(popup, t.words.show);
  await sees(popup, ERRORS['wrong-password'].message);
  await fill(popup, t.words.password, password);
  await press(popup, t.words.show);
  await popup.waitForSelector('.word-cells');
  expect(await shownWords()).toBe(scene.words);
  const other = await scene.wallet.browser.newPage(); // comes to the front
  await other.bringToFront();
  await popup.waitForFunction(() => globalThis.document.querySelector('.word-cells') === null, { polling: 20 });
  await other.close();
  await press(popup, texts.back);
  for (const word of scene.words.split(' ')) expect((await document()).includes(`>${word}<`)).toBe(false);
});

test('a wallet loaded from a folder asks its service once a day for a newer version, and shows a link to it', async () => {
  scene.faults.when(/^GET \/api\/v2\/wallet-release$/, { status: 200, body: { version: '65535.1' } });
  const asked = () => scene.faults.seen.filter((line) => line.endsWith('/wallet-release')).length;
  const next = scene.faults.next(/wallet-release/);
  const alarm = () => popup.evaluate(() => chrome.alarms.create('receive', { when: Date.now(), periodInMinutes: 10 }));
  await alarm();
  await next;
  await popup.reload();
  const link = await popup.waitForSelector('[data-part=update] a');
  expect(await link?.evaluate((element) => [(element as HTMLAnchorElement).href, element.getAttribute('rel')])).toEqual(
    [`${scene.publicUrl}/#wallet`, 'noopener noreferrer'],
  );
  await sees(popup, texts.popup.update('65535.1'));
  // The next alarm looks for coins, and does not ask again: not even a new worker does.
  await scene.wallet.killWorker();
  const scanned = scene.faults.next(/\/devnet\/woc\//);
  await alarm();
  await scanned;
  expect(asked()).toBe(1);
});

test('a new password opens the wallet, the old one no longer', async () => {
  await press(popup, t.password.title);
  const old = password;
  await fill(popup, t.password.now, old);
  await fill(popup, t.password.next, NEW_PASSWORD);
  await fill(popup, secretTexts.password.again, NEW_PASSWORD);
  await press(popup, t.password.change);
  await sees(popup, t.password.done);
  password = NEW_PASSWORD;
  expect((await ask(popup, 'vault/status', {})).locked).toBe(false);
  await press(popup, texts.back);
  await press(popup, t.lockNow);
  await unlockByHand(popup, old);
  await sees(popup, ERRORS['wrong-password'].message);
  await unlockByHand(popup, NEW_PASSWORD);
  await sees(popup, 'satoshis');
});

test('removed, it leaves nothing; from its words alone, with the service gone, all of it comes back', async () => {
  const before = await balance(popup);
  expect(BigInt(before)).toBe(3_000_000n);
  const shop = await scene.shop();
  const button = await buttonIn(shop, 'ready');

  await press(popup, t.remove.row);
  await sees(popup, '3,000,000 satoshis');
  await fill(popup, t.remove.password, password);
  await popup.click('input[type=checkbox]');
  const opened = scene.wallet.browser.waitForTarget((target) => target.url().endsWith('/onboarding/index.html'));
  await press(popup, t.remove.confirm);
  await sees(popup, texts.welcome.title);
  const page = (await (await opened).page()) as Page;
  for (const store of STORES) expect(await stored(popup, store), store).toEqual([]);
  expect(await popup.evaluate(() => chrome.storage.session.get())).toEqual({});
  expect((await popup.evaluate(() => chrome.alarms.getAll())).map(({ name }) => name)).toEqual(['receive']);
  await shop.bringToFront();
  await swipe(shop, button);
  await buttonIn(shop, 'error');
  expect(await shop.evaluate(() => (globalThis as unknown as { errors: { code: string }[] }).errors.at(-1)?.code)).toBe(
    'wallet-not-set-up',
  );

  scene.faults.when(/^\S+ \/(?!devnet\/(?:arc|woc)\/)/, 'refuse');
  await press(page, onboardingTexts.start.restore);
  await fill(page, onboardingTexts.restore.label, scene.words);
  await press(page, onboardingTexts.restore.check);
  await chooseDevnet(page, scene.publicUrl);
  await sees(page, onboardingTexts.password.title);
  await choosePassword(page, PASSWORD);
  password = PASSWORD;
  await sees(page, onboardingTexts.account.skip);
  await press(page, onboardingTexts.account.skip);
  await sees(page, onboardingTexts.done.scanDone);
  expect(await balance(page)).toBe(before);
  await sees(page, '3,000,000 satoshis');
});
