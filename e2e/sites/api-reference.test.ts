/** Tests the API reference in a real browser: search, copying, printing, and use without scripts. */
import { expect, test } from 'vitest';
import { useReference, app, browser, found, page, open, searchFor } from './api-reference-stage.ts';

useReference();

test('a search finds texts of every page and leads to them', async () => {
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

test('examples in both languages and the search work without scripts', async () => {
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
