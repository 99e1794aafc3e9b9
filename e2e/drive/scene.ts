/**
 * The setup of most browser tests: a service, a proxy that simulates faults, a shop, and a browser with a funded
 * wallet.
 */
import type { Page } from 'puppeteer-core';
import { freePort } from '../../tooling/free-port.ts';
import { BUILT_WALLET, launchWallet, type WalletBrowser } from '../../tooling/drive/browser.ts';
import { keepEvidence } from '../../tooling/drive/evidence.ts';
import { startFaults, type Faults } from './faults.ts';
import { postJson, startService, type Service } from '../../tooling/drive/service.ts';
import { shopPage, startSite, type Site } from './site.ts';
import { quickWallet } from '../../tooling/drive/wallet.ts';

/** An address whose key is unknown. Payments to it are lost. */
export const ADDRESS = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';

/** The whole setup. `page` is one of the wallet's pages, for requests and for reading the wallet's database. */
export interface Scene {
  service: Service;
  /** The fault proxy's address, which the wallet and pages use for the service. */
  publicUrl: string;
  faults: Faults;
  site: Site;
  wallet: WalletBrowser;
  page: Page;
  words: string;
  shop(attributes?: Record<string, string>): Promise<Page>;
  mine(blocks?: number): Promise<void>;
  /** Returns the network's transactions that pay {@link ADDRESS}, with their satoshis. */
  paid(): Promise<{ txid: string; satoshis: number }[]>;
  /** Saves a screenshot of all open pages in test-output/. */
  picture(name: string): Promise<void>;
  end(): Promise<void>;
}

/**
 * Creates the setup. The wallet and pages use the service only through the fault proxy. `beside` is the folder of
 * another extension in the same browser. `wallet` is the wallet's folder, by default the build.
 */
export async function setScene(
  options: { handle?: string; satoshis?: number; userDataDir?: string; beside?: string; wallet?: string } = {},
): Promise<Scene> {
  const proxyPort = await freePort();
  const publicUrl = `http://localhost:${proxyPort}`;
  const [service, site, wallet] = await Promise.all([
    startService({ BASE_URL: publicUrl }),
    startSite(),
    launchWallet({
      ...(options.userDataDir !== undefined && { userDataDir: options.userDataDir }),
      enableExtensions: [options.wallet ?? BUILT_WALLET, ...(options.beside !== undefined ? [options.beside] : [])],
    }),
  ]);
  const faults = await startFaults(service.url, proxyPort);
  const { words, page } = await quickWallet(wallet, {
    serviceUrl: publicUrl,
    handle: options.handle ?? 'payer',
    satoshis: options.satoshis ?? 1_000_000,
  });
  const mine = async (blocks = 1) => {
    await postJson(`${service.url}/devnet/mine`, { blocks });
  };
  // Tests can replace properties of this object, such as the browser.
  const scene: Scene = {
    service,
    publicUrl,
    faults,
    site,
    wallet,
    page,
    words,
    mine,
    async shop(attributes = {}) {
      site.page(
        '/',
        shopPage(publicUrl, { to: ADDRESS, amount: '0.10', currency: 'USD', label: 'Buy', ...attributes }),
      );
      const shop = await scene.wallet.browser.newPage();
      await shop.goto(`${site.origin}/`);
      return shop;
    },
    async paid() {
      const response = await fetch(`${service.url}/devnet/woc/v1/bsv/test/address/${ADDRESS}/unspent/all`);
      const { result } = (await response.json()) as { result: { tx_hash: string; value: number }[] };
      return result.map(({ tx_hash: txid, value: satoshis }) => ({ txid, satoshis }));
    },
    picture: keepEvidence,
    async end() {
      await scene.wallet.close();
      await Promise.all([site.stop(), faults.stop()]);
      await service.stop();
    },
  };
  return scene;
}
