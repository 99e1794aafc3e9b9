/** Opens sites for one test, each on its own port and origin, and closes them after the test. */
import type { Page } from 'puppeteer-core';
import { rawPage } from './raw-page.ts';
import type { Scene } from './scene.ts';
import { startSite, type Site } from './site.ts';

export interface Visits {
  /** Opens a site with a clickable button, followed by `inside`. */
  openSite(inside?: string): Promise<{ site: Site; page: Page }>;
  openPage(site: Site, path?: string): Promise<Page>;
  closeLater(page: Page): void;
  /** Closes all pages, waits until no wallet window is open, and stops the sites. */
  end(): Promise<void>;
}

/** @param scene returns the setup */
export function makeVisits(scene: () => Scene): Visits {
  let sites: Site[] = [];
  let pages: Page[] = [];

  async function openPage(site: Site, path = '/'): Promise<Page> {
    const page = await scene().wallet.browser.newPage();
    pages.push(page);
    await page.goto(`${site.origin}${path}`);
    return page;
  }

  return {
    openPage,
    closeLater: (page) => void pages.push(page),
    async openSite(inside = '') {
      const site = await startSite();
      sites.push(site);
      site.page('/', rawPage(`<button id="pay">Pay</button>${inside}`));
      return { site, page: await openPage(site) };
    },
    async end() {
      for (const page of pages) if (!page.isClosed()) await page.close();
      await scene().wallet.noApproval();
      for (const site of sites) await site.stop();
      [pages, sites] = [[], []];
    },
  };
}
