import type { Browser, Page } from 'puppeteer-core';
import { startAccountScene, type AccountScene } from '../drive/account.ts';
import { launchPlain } from '../../tooling/drive/browser.ts';
import { onStage } from '../drive/stage.ts';

export let browser: Browser;
export let scene: AccountScene;
export let page: Page;
export let newcomer: Page;

export const visit = (path: string, on = page) => on.goto(scene.app.baseUrl + path);
export const text = (on = page) => on.$eval('body', (body) => body.innerText);
export const press = async (selector: string, on = page) => {
  await Promise.all([on.waitForNavigation(), on.locator(selector).click()]);
};

/** Starts a service with data on every account page, and a browser with the signed-in owner. */
export function useDashboard(): void {
  onStage(
    async () => {
      [browser, scene] = await Promise.all([launchPlain(), startAccountScene()]);
      [page, newcomer] = [await scene.open(browser, 'full'), await scene.open(browser, 'empty')];
    },
    async () => {
      await browser?.close();
      await scene?.close();
    },
  );
}
