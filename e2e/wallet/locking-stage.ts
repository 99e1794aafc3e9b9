import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Page } from 'puppeteer-core';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { approve, buttonIn, stored, swipe } from '../../tooling/drive/wallet.ts';

export let scene: Scene;
export let userDataDir: string;
export const pages: Page[] = [];

export async function openPopup(): Promise<Page> {
  const popup = await scene.wallet.open('popup');
  pages.push(popup);
  return popup;
}

export async function openShop(): Promise<Page> {
  const shop = await scene.shop();
  pages.push(shop);
  return shop;
}

/**
 * Returns the number of stored sessions, and the contents of `storage.session`. Equals `LOCKED` if the wallet is
 * locked.
 */
export async function unlockedTraces(): Promise<{ sessions: number; memory: Record<string, unknown> }> {
  const records = await stored<Record<string, unknown>>(scene.page, 'keyval');
  return {
    sessions: records.filter((record) => 'outerIv' in record || 'lockAt' in record).length,
    memory: await scene.page.evaluate(() => chrome.storage.session.get()),
  };
}

export const LOCKED = { sessions: 0, memory: { 'open-tabs': true } };

export async function pay(): Promise<void> {
  const shop = await openShop();
  await swipe(shop, await buttonIn(shop, 'ready'));
  await approve(scene.wallet);
  await buttonIn(shop, 'done');
}

export function useLockingScene(): void {
  onStage(
    async () => {
      userDataDir = await mkdtemp(join(tmpdir(), 'service-button-browser-'));
      scene = await setScene({ satoshis: 5_000_000, userDataDir });
    },
    async () => {
      await scene?.end();
      await rm(userDataDir, { recursive: true, force: true });
    },
  );
  afterEach(async () => {
    for (const page of pages.splice(0)) if (!page.isClosed()) await page.close();
    await scene.wallet.noApproval();
  });
}
