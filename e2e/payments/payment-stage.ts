import { afterEach } from 'vitest';
import type { Page } from 'puppeteer-core';
import type { Payment } from '../../protocol/payments/payment.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { buttonIn, swipe } from '../../tooling/drive/wallet.ts';

export let scene: Scene;
const pages: Page[] = [];

export async function openShop(attributes?: Record<string, string>): Promise<Page> {
  const page = await scene.shop(attributes);
  pages.push(page);
  return page;
}

export async function swiped(page: Page, state: 'done' | 'error', decide: () => Promise<void>) {
  await swipe(page, await buttonIn(page, 'ready'));
  await decide();
  await buttonIn(page, state);
  return page.evaluate(() => {
    const { payments, errors, loads, lastThis } = window as unknown as {
      payments: Payment[];
      errors: { code: string }[];
      loads: number[];
      lastThis: boolean;
    };
    return { payments, errors, loads, lastThis };
  });
}

/** Swipes the same button again after an error. */
export async function retry(page: Page): Promise<void> {
  await swipe(page, await buttonIn(page, 'error'));
}

export function usePaymentScene(): void {
  onStage(
    async () => {
      scene = await setScene({ satoshis: 10_000_000 });
    },
    () => scene?.end(),
  );
  afterEach(async () => {
    scene.faults.clear();
    for (const page of pages.splice(0)) await page.close();
  });
}
