/** Tests in Firefox: recovery words from a different wallet, the activity after a restore, locking, and passkeys. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { CLIPBOARD_MS } from '../../extension/onboarding/clear-clipboard.ts';
import {
  onboardingTexts,
  otherWalletTexts,
  passkeyTexts,
  serviceTexts,
  settingsTexts,
  texts,
} from '../../extension/ui/texts/texts.ts';
import { findFirefox, skipsFirefox } from '../../tooling/system.ts';
import { launchFirefox, type WalletFirefox } from '../../tooling/drive/firefox.ts';
import { until } from '../../testing/patience.ts';
import { choosePassword, fill, press, sees } from '../../tooling/drive/onboarding.ts';
import { postJson, startService, type Service } from '../../tooling/drive/service.ts';
import { ask, PASSWORD } from '../../tooling/drive/wallet.ts';

const WORDS = 'remind subject simple name truck symbol inject eager erase million puzzle scout';
// an address from cases/payers/other-wallets.json
const MONEY_BUTTON = 'mpkVwAP2QZvchnpCKyhVCWG8BHGEKvtjb5';
const YOURS = 'muLHNV1SS4GoPSd1wLMPLdrsaSGquxj97W';

describe.skipIf(skipsFirefox())('a wallet restored in Firefox', () => {
  let service: Service;
  let firefox: WalletFirefox;
  let wallet: Page;

  beforeAll(async () => {
    const path = findFirefox();
    if (path === null) throw new Error('no Firefox: run npm test, which installs one or says what to do');
    service = await startService();
    for (const address of [MONEY_BUTTON, YOURS])
      // oxlint-disable-next-line no-await-in-loop -- two transactions of one faucet
      await postJson(`${service.url}/devnet/faucet`, { address, satoshis: 40_000 });
    firefox = await launchFirefox(path);
    wallet = await firefox.browser.newPage();
    await firefox.show(wallet, 'onboarding');
    await ask(wallet, 'settings/change', { serviceUrl: service.url });
  });
  afterAll(async () => {
    await firefox?.close();
    await service?.stop();
  });

  test('pasted words leave the clipboard after a minute', async () => {
    await wallet.evaluate((minute) => {
      const later = setTimeout;
      window.setTimeout = ((run: () => void, wait: number) => later(run, wait === minute ? 0 : wait)) as typeof later;
    }, CLIPBOARD_MS);
    await press(wallet, onboardingTexts.start.restore);
    await wallet.evaluate((words) => {
      const copied = Object.assign(document.createElement('textarea'), { id: 'paper', value: words });
      document.body.append(copied);
      copied.select();
    }, WORDS);
    const combined = async (key: 'KeyC' | 'KeyV' | 'KeyA') => {
      await wallet.keyboard.down('Control');
      await wallet.keyboard.press(key);
      await wallet.keyboard.up('Control');
    };
    await combined('KeyC');
    await wallet.focus('input');
    await combined('KeyV');
    await sees(wallet, onboardingTexts.restore.pasted);
    await until('the clipboard is empty', async () => {
      await wallet.focus('#paper');
      await combined('KeyA');
      await wallet.keyboard.press('Backspace');
      await combined('KeyV');
      return (await wallet.$eval('#paper', (paper) => (paper as HTMLTextAreaElement).value)) === '';
    });
    await wallet.$eval('#paper', (paper) => paper.remove());
  });

  test('coins of other wallets are found and moved, and the list of restored data leads to a backup', async () => {
    await firefox.show(wallet, 'popup');
    await firefox.show(wallet, 'onboarding');
    await press(wallet, onboardingTexts.start.restore);
    await fill(wallet, onboardingTexts.restore.label, WORDS);
    await press(wallet, onboardingTexts.restore.check);
    await sees(wallet, onboardingTexts.password.title);
    await choosePassword(wallet, PASSWORD);
    await sees(wallet, onboardingTexts.account.title);
    await wallet.click('input[value=none]');
    await press(wallet, serviceTexts.goOn);
    await sees(wallet, otherWalletTexts.title);
    const { title, missingTitle, contacts, sites, apps, backup } = onboardingTexts.restored;
    for (const text of [title, missingTitle, contacts, sites, apps]) await sees(wallet, text);
    await press(wallet, backup);
    await until('the settings offer a backup', () =>
      wallet.evaluate(async () =>
        (await chrome.tabs.query({})).some(({ url }) => url?.endsWith('/popup/settings/index.html#app-data')),
      ),
    );
    await fill(wallet, texts.password, PASSWORD);
    await press(wallet, otherWalletTexts.search);
    await sees(wallet, "m/44'/0'/0'/0/0");
    await sees(wallet, YOURS);
    await press(wallet, otherWalletTexts.move);
    await sees(wallet, onboardingTexts.done.balance);
    expect(Number((await ask(wallet, 'wallet/overview', {})).satoshis)).toBeGreaterThan(79_000);
  });

  test('a passkey is offered if this Firefox supports the PRF extension', async () => {
    const hasPrf = await wallet.evaluate(
      async () =>
        ((await PublicKeyCredential.getClientCapabilities()) as Record<string, boolean>)['extension:prf'] === true,
    );
    const settings = await until('the settings are open', async () => {
      for (const page of await firefox.browser.pages())
        if (await page.evaluate(() => location.pathname.endsWith('/settings/index.html')).catch(() => false))
          return page;
      return null;
    });
    await settings.evaluate(() => void (location.hash = ''));
    await sees(settings, settingsTexts.theme);
    expect(await settings.evaluate(() => document.body.innerText)).toEqual(
      hasPrf ? expect.stringContaining(passkeyTexts.title) : expect.not.stringContaining(passkeyTexts.title),
    );
  });

  test('nothing is signed once the chosen time without activity has passed', async () => {
    await firefox.show(wallet, 'popup');
    await ask(wallet, 'settings/change', { lockAfterMinutes: 1 });
    await ask(wallet, 'vault/lock', {});
    await ask(wallet, 'vault/unlock', { password: PASSWORD });
    expect(await ask(wallet, 'vault/status', {})).toMatchObject({ locked: false });
    await wallet.evaluate(async () => {
      const background = (await chrome.runtime.getBackgroundPage()) as unknown as { Date: DateConstructor };
      const now = background.Date.now.bind(background.Date);
      background.Date.now = () => now() + 60_001;
    });
    expect(await ask(wallet, 'vault/status', {})).toMatchObject({ locked: true, lockAt: null });
    await sees(wallet, texts.unlock.title);
  });
});
