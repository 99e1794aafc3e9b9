/** Controls a real Firefox with the real package. Replaces features that Puppeteer supports only in Chromium. */
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import { FIREFOX_ID } from '../firefox-package.ts';
import { until } from '../../testing/patience.ts';
import { launchPatiently } from './browser.ts';

/** The host in the extension's URLs. By default, it is different in each profile. */
const HOST = '6f0a2a7e-3d3c-4b9e-9a51-0c9d1f2e3a4b';

export interface WalletFirefox {
  browser: Browser;
  show(page: Page, name: 'popup' | 'onboarding'): Promise<void>;
  /** Waits for an approval window, by default for a payment. */
  approval(yes?: 'pay' | 'permit'): Promise<Page>;
  close(): Promise<void>;
}

/**
 * Loads dist/firefox as "Load Temporary Add-on" does.
 * @param before called with the browser before the extension is installed
 */
export async function launchFirefox(
  executablePath: string,
  before: (browser: Browser) => Promise<unknown> = async () => undefined,
): Promise<WalletFirefox> {
  const browser = await launchPatiently({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: null,
    // Since Firefox 153, opening an extension's pages in tests requires this argument.
    args: ['--remote-allow-system-access'],
    extraPrefsFirefox: { 'extensions.webextensions.uuids': JSON.stringify({ [FIREFOX_ID]: HOST }) },
  });
  await before(browser);
  await browser.installExtension(join(process.cwd(), 'dist/firefox'));
  const addressOf = (page: Page) => page.evaluate(() => location.href).catch(() => '');
  return {
    browser,
    async show(page, name) {
      const address = `moz-extension://${HOST}/extension/${name}/index.html`;
      // The navigation isn't awaited, because Puppeteer doesn't detect its end.
      page.goto(address).catch(() => undefined);
      await until(
        `${name} is shown`,
        async () => (await addressOf(page)) === address && page.evaluate(() => (document.body?.innerText ?? '') !== ''),
      );
    },
    approval: (yes = 'pay') =>
      until('an approval window opens', async () => {
        for (const page of await browser.pages()) {
          if (
            new RegExp(`^moz-extension://${HOST}/extension/approval/`).test(await addressOf(page)) &&
            (await page.$(`button[data-action=${yes}]`))
          )
            return page;
        }
        return null;
      }),
    close: () => browser.close(),
  };
}
