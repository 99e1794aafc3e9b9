import { afterEach, beforeEach } from 'vitest';
import type { Page } from 'puppeteer-core';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { goTo, PASSWORD } from '../../tooling/drive/wallet.ts';

export let scene: Scene;
export let popup: Page;
export const current = { password: PASSWORD };

export function useSettingsScene(): void {
  onStage(
    async () => {
      scene = await setScene({ satoshis: 3_000_000 });
      popup = scene.page;
      current.password = PASSWORD;
    },
    () => scene?.end(),
  );
  beforeEach(async () => {
    await goTo(popup, 'popup/settings');
  });
  afterEach(async () => {
    scene.faults.clear();
  });
}
