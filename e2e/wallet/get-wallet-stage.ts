import { afterAll, beforeAll } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import { launchPlain } from '../../tooling/drive/browser.ts';
import { startService, type Service } from '../../tooling/drive/service.ts';

export let service: Service;
export let browser: Browser;
export let page: Page;

export function useGetWallet(): void {
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchPlain()]);
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
}
