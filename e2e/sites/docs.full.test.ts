/** Opens each page of the documentation in a browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { launchPlain } from '../../tooling/drive/browser.ts';
import { startService, type Service } from '../../tooling/drive/service.ts';

let service: Service;
let browser: Browser;

beforeAll(async () => {
  service = await startService();
  browser = await launchPlain();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('no page of the documentation is wider than the screen', async () => {
  const page = await browser.newPage();
  await page.goto(`${service.url}/docs`);
  const links = await page.$$eval('main a[href^="/docs/"]', (all) => all.map((one) => one.getAttribute('href') ?? ''));
  const places = new Set(links.map((href) => href.replace(/#.*/, '')));
  expect(places.size).toBeGreaterThan(40);
  for (const place of places) {
    await page.goto(service.url + place);
    for (const width of [360, 700, 1000, 1280]) {
      await page.setViewport({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${place} at ${width}`).toBe(width);
    }
  }
});
