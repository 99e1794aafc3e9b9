import { readFileSync } from 'node:fs';
import { afterEach } from 'vitest';
import type { Page } from 'puppeteer-core';
import type { Payment } from '../../protocol/payments/payment.ts';
import { ADDRESS, setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { approve, buttonIn, swipe } from '../../tooling/drive/wallet.ts';
export const PAYS = `data-to="${ADDRESS}" data-amount="0.01" data-on-payment="onPay" data-on-error="onFail"`;
export const CALLBACKS = `<script>var payments = [], errors = [];
  function onPay(payment) { payments.push(payment); } function onFail(error) { errors.push(error.code); }</script>`;

export let scene: Scene;
export let page: Page;

/** Opens one of the shop's pages with the given markup before and after the button's script. */
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

export const serve = (path: string, file: string) =>
  scene.site.page(path, readFileSync(`node_modules/${file}`, 'utf8'), { 'content-type': 'text/javascript' });

/** Opens a page with Turbo, and with a link to a second page that has the same head. */
export async function visitWithTurbo(before = ''): Promise<void> {
  serve('/turbo.js', '@hotwired/turbo/dist/turbo.es2017-umd.js');
  const head = `${before}<script src="/turbo.js"></script><script src="${scene.publicUrl}/button.js" async></script>`;
  scene.site.page(
    '/turbo-next',
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The next page</title>${CALLBACKS}${head}</head><body><p>Go back.</p></body></html>`,
  );
  const options = { before: head, script: '', path: '/turbo' };
  await visit(`<div class="service-button" ${PAYS}></div><a href="/turbo-next">Next page</a>`, options);
}

/** Follows Turbo's link and goes back, without a full page load. */
export async function leaveAndReturn(): Promise<void> {
  await page.click('a');
  await page.waitForSelector('p');
  await page.evaluate(() => history.back());
  await page.waitForSelector('a');
}

/** Swipes the nth button, approves the payment, and waits for the button's receipt. */
export async function pay(nth = 0): Promise<void> {
  await swipe(page, await buttonIn(page, 'ready', nth));
  await approve(scene.wallet);
  await buttonIn(page, 'done', nth);
}

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
