import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import { launchPlain } from '../../tooling/drive/browser.ts';
import { PAGE_WALLET } from '../drive/page-wallet.ts';
import { ADDRESS } from '../drive/scene.ts';
import { startSite, type Site } from '../drive/site.ts';

export const PAYS = `class="service-button" data-to="${ADDRESS}" data-amount="0.10"`;

let browser: Browser;
export let site: Site;
export let page: Page;
let faults: string[];

/** Opens a page that fakes the wallet for its buttons. */
export async function visit(body: string, head = ''): Promise<void> {
  site.page(
    '/',
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>${PAGE_WALLET}${head}<script src="/button.js" async></script></head><body>${body}</body></html>`,
  );
  await page.goto(`${site.origin}/`);
}

/** Waits until the page's only button, at any depth, is in the given state and shows the given amount. */
export async function shows(state: string | null, amount = '$0.10'): Promise<void> {
  await page.waitForFunction(
    (wanted, text) => {
      const all = (root: ParentNode): Element[] =>
        [...root.querySelectorAll('*')].flatMap((element) => [
          element,
          ...(element.shadowRoot ? all(element.shadowRoot) : []),
        ]);
      const [host, other] = all(document).filter((element) => element.matches('[data-to]')) as HTMLElement[];
      // The button might not exist yet, and an exception would end the wait.
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

/** Drags the thumb to the end of the track. @returns its maximum distance from the pointer (CSS pixels) */
export async function dragThumb(): Promise<number> {
  const middles = () =>
    page.$eval('.service-button', (host) =>
      ['thumb', 'track'].map((part) => {
        const { x, y, width, height } = host.shadowRoot!.querySelector(`[part=${part}]`)!.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      }),
    );
  const [from, middle] = (await middles()) as [{ x: number; y: number }, { x: number; y: number }];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  let farthest = 0;
  for (let step = 1; step <= 8; step += 1) {
    const x = from.x + (step / 4) * (middle.x - from.x);
    const y = from.y + (step / 4) * (middle.y - from.y);
    await page.mouse.move(x, y);
    const [thumb] = (await middles()) as [{ x: number; y: number }];
    farthest = Math.max(farthest, Math.hypot(thumb.x - x, thumb.y - y));
  }
  await page.mouse.up();
  return farthest;
}

/** Starts a browser without the wallet. Errors in its pages fail the test. */
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
