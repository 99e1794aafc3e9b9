import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchWallet, type WalletBrowser } from '../../tooling/drive/browser.ts';
import { ask, PASSWORD, quickWallet } from '../../tooling/drive/wallet.ts';
import { axe } from '../drive/axe.ts';
import { useGetWallet, service, page } from './get-wallet-stage.ts';

useGetWallet();

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const AGENTS = {
  chrome: CHROME,
  edge: `${CHROME} Edg/140.0.0.0`,
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
  safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  phone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
};

test.each(Object.entries(AGENTS))(
  'a button’s link leads %s to its instructions, which are accessible at every width in both themes',
  async (name, agent) => {
    await page.setUserAgent({ userAgent: agent });
    const found: Record<string, string[]> = {};
    for (const theme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
      for (const width of [320, 1000]) {
        await page.setViewport({ width, height: 900 });
        await page.goto(`${service.url}/wallet`);
        expect(page.url()).toBe(`${service.url}/#wallet`);
        await page.waitForSelector(`section[data-browser=${name}]`);
        for (const details of await page.$$('details')) await details.evaluate((one) => void (one.open = true));
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, `${theme}, ${width} px`).toBeLessThanOrEqual(0);
        found[`${theme}, ${width} px`] = await axe(page);
      }
    }
    expect(Object.values(found).flat(), JSON.stringify(found)).toEqual([]);
  },
);

test('the hash on the page matches the download', async () => {
  await page.setUserAgent({ userAgent: CHROME });
  await page.goto(`${service.url}/wallet`);
  const shown = await page.$eval('section[data-browser] .whole', (element) => element.textContent);
  const bytes = Buffer.from(await (await fetch(`${service.url}/wallet.zip`)).arrayBuffer());
  expect(shown).toBe(createHash('sha256').update(bytes).digest('hex'));
  const { version } = (await (await fetch(`${service.url}/api/v2/wallet-release`)).json()) as { version: string };
  expect(await page.$eval('section[data-browser]', (element) => (element as HTMLElement).innerText)).toContain(
    `Version ${version}`,
  );
});

test('a newer download in another folder keeps the wallet, because its id depends only on the key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'downloads-'));
  const userDataDir = join(folder, 'profile');
  let wallet: WalletBrowser | undefined;
  const download = async (name: string, version: string) => {
    const to = join(folder, name);
    await cp('dist/extension', to, { recursive: true });
    const manifest = JSON.parse(await readFile(join(to, 'manifest.json'), 'utf8')) as object;
    await writeFile(join(to, 'manifest.json'), JSON.stringify({ ...manifest, version }));
    wallet = await launchWallet({ userDataDir, enableExtensions: [to] });
    return wallet;
  };
  try {
    const older = await download('older', '0.0.1');
    const { page: before, words } = await quickWallet(older, { serviceUrl: service.url });
    const { receiveAddress } = await ask(before, 'wallet/overview', {});
    await older.close();
    const newer = await download('newer', '0.0.2');
    const popup = await newer.open('popup/settings');
    expect(await popup.evaluate(() => chrome.runtime.getManifest().version)).toBe('0.0.2');
    await ask(popup, 'vault/unlock', { password: PASSWORD });
    expect((await ask(popup, 'wallet/overview', {})).receiveAddress).toBe(receiveAddress);
    expect((await ask(popup, 'vault/show-words', { password: PASSWORD })).words).toBe(words);
  } finally {
    await wallet?.close();
    await rm(folder, { recursive: true, force: true });
  }
});
