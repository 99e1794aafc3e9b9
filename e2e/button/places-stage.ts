/** Stage and steps that places.test.ts and places.full.test.ts share. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import { launchPlain } from '../drive/browser.ts';
import { PAGE_WALLET } from '../drive/page-wallet.ts';
import { ADDRESS } from '../drive/scene.ts';
import { startSite, type Site } from '../drive/site.ts';

export const PAYS = `class="service-button" data-to="${ADDRESS}" data-amount="0.10"`;

let browser: Browser;
export let site: Site;
export let page: Page;
let faults: string[];

/** Shows a page whose buttons are played to by the page itself. */
export async function visit(body: string, head = ''): Promise<void> {
  site.page(
    '/',
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>${PAGE_WALLET}${head}<script src="/button.js" async></script></head><body>${body}</body></html>`,
  );
  await page.goto(`${site.origin}/`);
}

/** Waits until the only button of the whole page, however deep, is in a state and shows an amount. */
export async function shows(state: string | null, amount = '$0.10'): Promise<void> {
  await page.waitForFunction(
    (wanted, text) => {
      const all = (root: ParentNode): Element[] =>
        [...root.querySelectorAll('*')].flatMap((element) => [
          element,
          ...(element.shadowRoot ? all(element.shadowRoot) : []),
        ]);
      const [host, other] = all(document).filter((element) => element.matches('[data-to]')) as HTMLElement[];
      // It may not be there yet: what throws here would end the wait.
      if (!host || other) return false;
      return (
        (host.dataset.state ?? null) === wanted &&
        (wanted === null || host.shadowRoot?.querySelector('[part=amount]')?.textContent === text)
      );
    },
    { polling: 20 },
    state,
    amount,
  );
}

/** Starts a browser without the wallet. Errors of its pages fail the test. */
export function usePlaces(): void {
  beforeAll(async () => {
    [browser, site] = [await launchPlain(), await startSite()];
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    faults = [];
    page.on('pageerror', (error) => faults.push(String(error)));
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });
}
