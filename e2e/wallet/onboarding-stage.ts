import { sha256 } from '@noble/hashes/sha2.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Page } from 'puppeteer-core';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { freePort } from '../../tooling/free-port.ts';
import { launchWallet, type WalletBrowser } from '../../tooling/drive/browser.ts';
import { startFaults, type Faults } from '../drive/faults.ts';
import { ADDRESS } from '../drive/scene.ts';
import { postJson, startService, type Service } from '../../tooling/drive/service.ts';
import { shopPage, startSite, type Site } from '../drive/site.ts';
import { approve, ask, buttonIn, quickWallet, stored, swipe } from '../../tooling/drive/wallet.ts';

export const OTHER_PASSWORD = 'quilt-under-seven-lanterns';
interface StoredCoin {
  outpoint: string;
  status: string;
  chain: string;
  index: number;
  satoshis: string;
}

export let service: Service;
export let faults: Faults;
export let site: Site;
export let publicUrl: string;
export let wallet: WalletBrowser | undefined;

export async function closeBrowser(): Promise<void> {
  await wallet?.close();
  wallet = undefined;
}

export async function newBrowser(): Promise<WalletBrowser> {
  await closeBrowser();
  wallet = await launchWallet();
  return wallet;
}

/** Derives an address from recovery words, independently of the wallet's code. */
function addressAt(words: string, path: string): string {
  const { publicKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(path);
  return writeAddress(ripemd160(sha256(publicKey as Uint8Array)), 'devnet');
}

export const faucet = (address: string, satoshis: number) =>
  postJson(`${service.url}/devnet/faucet`, { address, satoshis });
export const satoshisOf = async (page: Page) => BigInt((await ask(page, 'wallet/overview', {})).satoshis);
export const spendable = async (page: Page) =>
  (await stored<StoredCoin>(page, 'coins')).filter(({ status }) => status === 'available');

/** Pays with a swipe on a shop page. */
export async function pay(from: WalletBrowser, amount: string): Promise<void> {
  site.page('/', shopPage(publicUrl, { to: ADDRESS, amount, currency: 'USD' }));
  const shop = await from.browser.newPage();
  await shop.goto(`${site.origin}/`);
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(from);
  await buttonIn(shop, 'done');
  await shop.close();
}

/**
 * Creates a wallet that has received coins at several addresses on all three chains, and has made payments with change.
 */
export async function livelyWallet(
  handle: string,
): Promise<{ words: string; satoshis: bigint; outpoints: string[]; account: unknown }> {
  const browser = await newBrowser();
  const { words, page } = await quickWallet(browser, { serviceUrl: publicUrl, handle });
  for (const satoshis of [700_000, 600_000, 500_000]) await ask(page, 'wallet/faucet', { satoshis });
  for (const amount of ['0.30', '0.20', '0.25']) await pay(browser, amount);
  await faucet(addressAt(words, "m/44'/236'/2'/0/0"), 111_000);
  await faucet(addressAt(words, "m/44'/236'/0'/0/22"), 222_000); // the last address within the gap limit of 20
  await postJson(`${service.url}/devnet/mine`, { blocks: 1 });
  await faucet(addressAt(words, "m/44'/236'/0'/0/5"), 333_000); // unconfirmed
  await ask(page, 'wallet/refresh', {});
  const coins = await spendable(page);
  expect(new Set(coins.map(({ chain }) => chain))).toEqual(new Set(['receive', 'change', 'service']));
  expect(coins.map(({ index }) => index)).toContain(22);
  const { account } = await ask(page, 'wallet/overview', {});
  return { words, satoshis: await satoshisOf(page), outpoints: coins.map(({ outpoint }) => outpoint).sort(), account };
}

export function useOnboardingScene(): void {
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
    await closeBrowser();
  });
}
