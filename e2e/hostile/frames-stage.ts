import { afterEach, beforeEach } from 'vitest';
import type { Frame, Page } from 'puppeteer-core';
import { rawPage } from '../drive/raw-page.ts';
import type { Scene } from '../drive/scene.ts';
import { startSite, type Site } from '../drive/site.ts';
import { stored } from '../../tooling/drive/wallet.ts';

interface StoredPayment {
  id: string;
  origin: string;
  requestId: string;
  state: string;
  signed: unknown;
  error: { code: string } | null;
}

export let scene: Scene;
/** The visited site, and the site of the page that it embeds. */
export let outer: Site;
export let inner: Site;
export let page: Page;
export let paidBefore: number;

export function useFramedPages(stage: () => Scene): void {
  beforeEach(async () => {
    scene = stage();
    [outer, inner] = [await startSite(), await startSite()];
    inner.page('/', rawPage());
    page = await scene.wallet.browser.newPage();
    paidBefore = (await scene.paid()).length;
  });
  afterEach(async () => {
    if (!page.isClosed()) await page.close();
    await scene.wallet.noApproval();
    await Promise.all([outer.stop(), inner.stop()]);
  });
}

/** Opens the outer site with `inside` in its body, and returns the embedded frame. */
export async function visit(inside: string): Promise<Frame> {
  outer.page('/', rawPage(inside));
  outer.page('/away', rawPage());
  await page.goto(`${outer.origin}/`);
  return page.mainFrame().childFrames()[0] as Frame;
}

export const payments = () => stored<StoredPayment>(scene.page, 'payments');
export const paymentOf = async (requestId: string) => (await payments()).find((one) => one.requestId === requestId);
