/** The API reference in a real browser: for those who search, who copy, who print, and who run no scripts. */
import { expect, test } from 'vitest';
import { useReference, app, browser, found, page, open, searchFor } from './api-reference-stage.ts';

useReference();

test('a search finds what every page says, and leads there', async () => {
  await open();
  await searchFor('token lifetime');
  expect(await found()).toContain('#authentication');
  await searchFor('webhook retry');
  expect(await found()).toContain('/webhooks');
  await searchFor('/me/profile');
  const [first] = await found();
  expect(first).toBe('/api-v2-users#readProfile');
  await Promise.all([page.waitForNavigation(), page.click('#results a')]);
  expect(await page.$eval('#readProfile', (one) => one.checkVisibility())).toBe(true);
});

test('no table is wider than the screen', async () => {
  for (const width of [320, 360, 768, 1280]) {
    await page.setViewport({ width, height: 900 });
    for (const place of ['', '/errors', '/webhooks', '/api-v2-payments']) {
      await open(place);
      const wide = await page.evaluate(() => {
        const most = document.documentElement.clientWidth;
        const cut = [...document.querySelectorAll('table, .table-scroll')].filter((one) => {
          const { left, right } = one.getBoundingClientRect();
          return left < 0 || right > most + 0.5 || one.scrollWidth > one.clientWidth + 1;
        });
        return [document.documentElement.scrollWidth > most, cut.map((one) => one.className)];
      });
      expect(wide, `${place} at ${width}`).toEqual([false, []]);
    }
  }
  await page.setViewport({ width: 1280, height: 900 });
});

test('everything works without scripts: examples in both languages, and the search', async () => {
  const plain = await browser.newPage();
  await plain.setJavaScriptEnabled(false);
  await plain.goto(`${app.baseUrl}/api/reference/api-v2-users`);
  const text = await plain.$eval('#readMe', (one) => (one as HTMLElement).innerText);
  expect(text).toContain('curl "');
  expect(text).toContain('await fetch(');
  expect(await plain.$('#languages:not([hidden])')).toBeNull();
  await plain.type('#search', 'xyzzy');
  await Promise.all([plain.waitForNavigation(), plain.keyboard.press('Enter')]);
  expect(await plain.$('#none-found')).not.toBeNull();
  await plain.close();
});
