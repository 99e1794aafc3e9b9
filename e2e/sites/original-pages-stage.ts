import { afterEach } from 'vitest';
import type { Page } from 'puppeteer-core';
import type { Payment } from '../../protocol/payments/payment.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';

export let scene: Scene;
export let page: Page;

export async function visit(body: string): Promise<void> {
  scene.site.page(
    '/',
    `<!doctype html>\n<html>\n<head><title>My page</title></head>\n<body>\n${body}\n</body>\n</html>`,
  );
  page = await scene.wallet.browser.newPage();
  await page.goto(`${scene.site.origin}/`);
}
/** Waits until the page's callbacks have added this many entries to `window.log`, and returns them. */
export async function log<T = [name: string, given: Payment]>(length: number): Promise<T[]> {
  await page.waitForFunction(
    (wanted) => (window as unknown as { log: unknown[] }).log.length >= wanted,
    { polling: 20 },
    length,
  );
  return page.evaluate(() => (window as unknown as { log: unknown[] }).log) as Promise<T[]>;
}

export function useOriginalPages(): void {
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
