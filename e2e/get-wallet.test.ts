/** "Get the wallet" in a real browser that passes for each of those which people have. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchWallet, type WalletBrowser } from './drive/browser.ts';
import { ask, PASSWORD, quickWallet } from './drive/wallet.ts';
import { useGetWallet, service } from './get-wallet-stage.ts';

useGetWallet();

test('a newer download keeps the wallet, although it lies in another folder: the id follows from the key', async () => {
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
    const popup = await newer.open('popup');
    expect(await popup.evaluate(() => chrome.runtime.getManifest().version)).toBe('0.0.2');
    await ask(popup, 'vault/unlock', { password: PASSWORD });
    expect((await ask(popup, 'wallet/overview', {})).receiveAddress).toBe(receiveAddress);
    expect((await ask(popup, 'vault/show-words', { password: PASSWORD })).words).toBe(words);
  } finally {
    await wallet?.close();
    await rm(folder, { recursive: true, force: true });
  }
});
