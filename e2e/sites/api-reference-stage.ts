import { afterAll, beforeAll } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import { useService } from '../../server/testing-service.ts';
import type { TestApp } from '../../server/testing.ts';
import { launchPlain } from '../../tooling/drive/browser.ts';

export let app: TestApp;
export let browser: Browser;
export let page: Page;

export function useReference(): void {
  ({ app } = useService());
  beforeAll(async () => {
    browser = await launchPlain();
    page = await browser.newPage();
  });
  afterAll(() => browser?.close());
}

export const open = async (place = '') => {
  // Forces a new document, because changing only the hash doesn't load the page.
  await page.goto('about:blank');
  await page.goto(`${app.baseUrl}/api/reference${place}`);
};
export const shown = (selector: string) =>
  page.$$eval(selector, (all) => all.filter((one) => one.checkVisibility()).map((one) => one.id || one.textContent));
export const searchFor = async (text: string) => {
  await page.$eval('#search', (input) => ((input as HTMLInputElement).value = ''));
  await page.type('#search', text);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
};
export const found = () =>
  page.$$eval('#results a', (all) => all.map((one) => one.getAttribute('href')?.replace('/api/reference', '')));
