/** Stage and steps that pages.test.ts and pages.full.test.ts share. */
import { afterEach } from 'vitest';
import type { Page } from 'puppeteer-core';
import type { Payment } from '../../protocol/payment.ts';
import { ADDRESS, setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { approve, buttonIn, swipe } from '../drive/wallet.ts';
export const PAYS = `data-to="${ADDRESS}" data-amount="0.01" data-on-payment="onPay" data-on-error="onFail"`;
export const CALLBACKS = `<script>var payments = [], errors = [];
  function onPay(payment) { payments.push(payment); } function onFail(error) { errors.push(error.code); }</script>`;

export let scene: Scene;
export let page: Page;

/** Shows a page of the shop: markup before the button's script, and after it. */
export async function visit(
  body: string,
  options: { before?: string; script?: string; after?: string; path?: string } = {},
): Promise<void> {
  const {
    before = '',
    script = `<script src="${scene.publicUrl}/button.js"></script>`,
    after = '',
    path = '/',
  } = options;
  scene.site.page(
    path,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title>${CALLBACKS}${before}</head><body>${body}${script}${after}</body></html>`,
  );
  page = await scene.wallet.browser.newPage();
  await page.goto(`${scene.site.origin}${path}`);
}
export const payments = () => page.evaluate(() => (window as unknown as { payments: Payment[] }).payments);
export const states = () =>
  page.$$eval('.service-button', (hosts) => hosts.map((host) => (host as HTMLElement).dataset.state ?? ''));

/** Swipes the nth button, approves, and waits for its receipt. */
export async function pay(nth = 0): Promise<void> {
  await swipe(page, await buttonIn(page, 'ready', nth));
  await approve(scene.wallet);
  await buttonIn(page, 'done', nth);
}

/** Sets the stage: a funded wallet. The page of each test closes after it. */
export function useShopPages(): void {
  onStage(
    async () => {
      scene = await setScene({ satoshis: 20_000_000 });
    },
    () => scene?.end(),
  );
  afterEach(async () => {
    await page?.close();
    await scene.wallet.noApproval();
  });
}
