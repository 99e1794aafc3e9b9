import { afterEach, expect, vi } from 'vitest';
import type { Page } from 'puppeteer-core';
import { expectConfirmed, expectPaidOnce, latestPayment, lookBefore } from '../drive/once.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { buttonIn, readyApproval, swipe } from '../../tooling/drive/wallet.ts';

export let scene: Scene;
export let shop: Page;

export const latest = () => latestPayment(scene);
export const inState = (state: string) =>
  vi.waitFor(async () => expect((await latest()).state).toBe(state), { interval: 50 });

export async function openShop(): Promise<void> {
  shop = await scene.shop();
}

export async function paysOnceDespite(middle: () => Promise<void>): Promise<void> {
  const before = await lookBefore(scene);
  await openShop();
  await swipe(shop, await buttonIn(shop, 'ready'));
  await readyApproval(scene.wallet);
  await middle();
  await buttonIn(shop, 'done');
  await expectPaidOnce(scene, shop, before);
  await expectConfirmed(scene);
}

export function useRecoveryScene(): void {
  onStage(
    async () => {
      scene = await setScene({ satoshis: 5_000_000 });
    },
    () => scene?.end(),
  );
  afterEach(async () => {
    scene.faults.clear();
    await shop.close();
  });
}
