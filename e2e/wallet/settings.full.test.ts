import { expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import type { WindowTexts } from '../../extension/ui/texts/texts.ts';
import { giveAssets } from '../drive/assets.ts';
import { cutOff, LANGUAGES, ownWidth, speakIn } from '../drive/cut-off.ts';
import { press, sees, fill, unlockByHand } from '../../tooling/drive/onboarding.ts';
import { paymentRequest, say } from '../drive/raw-page.ts';
import { ADDRESS } from '../drive/scene.ts';
import { makeVisits } from '../drive/visits.ts';
import { ask, goTo } from '../../tooling/drive/wallet.ts';
import { useSettingsScene, scene, popup, current } from './settings-stage.ts';
import { ERRORS } from '../../protocol/errors/service-error.ts';
import { secretTexts, settingsTexts as t, texts } from '../../extension/ui/texts/texts.ts';

useSettingsScene();

test('the settings open in a tab, with a URL for each page', async () => {
  await goTo(popup, 'popup');
  await press(popup, texts.popup.settings);
  await sees(popup, t.security);
  const list = popup.url();
  expect(list.endsWith('/extension/popup/settings/index.html')).toBe(true);
  await press(popup, t.password.title);
  await sees(popup, t.password.now);
  expect(popup.url()).toBe(`${list}#password`);
  await press(popup, texts.back);
  await popup.waitForFunction((url) => location.href === url, { polling: 20 }, list);
  await sees(popup, t.security);
  await popup.goForward();
  await sees(popup, t.password.now);
  await ask(popup, 'vault/lock', {});
  await sees(popup, texts.unlock.title);
  await popup.reload();
  await unlockByHand(popup, current.password);
  await sees(popup, t.password.now);
  await popup.goBack();
  await sees(popup, t.security);
  await popup.goBack();
  await sees(popup, 'satoshis');
  // The browser's own menu opens the same page.
  await popup.evaluate(() => chrome.runtime.openOptionsPage());
  const opened = await scene.wallet.browser.waitForTarget((target) => target.url() === list);
  await (await opened.page())?.close();
});

const visits = makeVisits(() => scene);

async function pressAt(selector: string): Promise<void> {
  await popup.waitForSelector(selector);
  await popup.click(selector);
}

/** Opens each page of the popup in a language, and calls `look` with the page's name. */
async function throughThePopup(t: WindowTexts, look: (name: string) => Promise<void>): Promise<void> {
  const go = (text: string | undefined) => press(popup, text ?? 'missing');
  const { activity, allowance, appData, contacts, passkey, send, service, settings, shortcuts, swipes } = t;
  await look('activity');
  await popup.click('.activity > summary');
  await look('payment');
  await go(activity?.search);
  await look('search');
  await go(activity?.export);
  await look('export');
  await go(t.general.popup?.receive);
  await look('receive');
  await go(t.general.popup?.activity);
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
  await go(t.general.popup?.activity);
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
  await go(t.general.popup?.settings);
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
  await go(t.general.back);
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
    await go(t.general.back);
  }
}

const OPERATIONS = [
  { name: 'mark', method: 'sign', data: 'I agree' },
  { name: 'sealed', method: 'encrypt', data: 'A secret' },
  { name: 'me', method: 'paymail' },
];

/** Calls `window.CWI` without waiting for the response. */
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

const NEW_PASSWORD = 'copper-lagoon-fifty-tulip';

test.each(LANGUAGES)('no text of the popup in %s is cut off at any width', async (code, t) => {
  const cut: string[] = [];
  await goTo(popup, 'popup');
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

test.each(asked)('no text of the window for %s is cut off, in any language at any width', async (name, asks) => {
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
    await ask(popup, 'vault/unlock', { password: current.password });
    await speakIn(popup, 'system');
  }
  expect(cut).toEqual([]);
});

test('a wallet loaded from a folder asks its service once a day for a newer version, and shows a link to it', async () => {
  scene.faults.when(/^GET \/api\/v2\/wallet-release$/, { status: 200, body: { version: '65535.1' } });
  const asked = () => scene.faults.seen.filter((line) => line.endsWith('/wallet-release')).length;
  const next = scene.faults.next(/wallet-release/);
  const alarm = () => popup.evaluate(() => chrome.alarms.create('receive', { when: Date.now(), periodInMinutes: 10 }));
  await alarm();
  await next;
  await goTo(popup, 'popup');
  const link = await popup.waitForSelector('[data-part=update] a');
  expect(await link?.evaluate((element) => [(element as HTMLAnchorElement).href, element.getAttribute('rel')])).toEqual(
    [`${scene.publicUrl}/#wallet`, 'noopener noreferrer'],
  );
  await sees(popup, texts.popup.update({ version: '65535.1' }));
  // The next alarm searches for coins without reopening a prompt, even in a new worker.
  await scene.wallet.killWorker();
  const scanned = scene.faults.next(/\/devnet\/woc\//);
  await alarm();
  await scanned;
  expect(asked()).toBe(1);
});

test('a new password opens the wallet, and the old one doesn’t', async () => {
  await press(popup, t.password.title);
  const old = current.password;
  await fill(popup, t.password.now, old);
  await fill(popup, t.password.next, NEW_PASSWORD);
  await fill(popup, secretTexts.password.again, NEW_PASSWORD);
  await press(popup, t.password.change);
  await sees(popup, t.password.done);
  current.password = NEW_PASSWORD;
  expect((await ask(popup, 'vault/status', {})).locked).toBe(false);
  await press(popup, texts.back);
  await press(popup, t.lockNow);
  await unlockByHand(popup, old);
  await sees(popup, ERRORS['wrong-password'].message);
  await unlockByHand(popup, NEW_PASSWORD);
  await sees(popup, t.security);
});
