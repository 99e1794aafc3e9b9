/** The API reference in a real browser: for those who search, who copy, who print, and who run no scripts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import { useService } from '../server/testing-service.ts';
import { axe } from './drive/axe.ts';
import { launchPlain } from './drive/browser.ts';

const { app } = useService();
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchPlain();
  page = await browser.newPage();
});
afterAll(() => browser?.close());

const open = async (hash = '') => {
  // Another document each time: a hash alone loads nothing.
  await page.goto('about:blank');
  await page.goto(`${app.baseUrl}/api/reference${hash}`);
};
const shown = (selector: string) =>
  page.$$eval(selector, (all) => all.filter((one) => one.checkVisibility()).map((one) => one.id || one.textContent));
const searchFor = async (text: string) => {
  await page.$eval('#search', (input) => ((input as HTMLInputElement).value = ''));
  await page.type('#search', text);
};
const status = () => page.$eval('#found', (element) => element.textContent);

describe('searching', () => {
  test('finds operations by path, field, error code and summary, and says how many', async () => {
    await open();
    const all = await shown('.operation[id]');
    await searchFor('/me/profile');
    expect(await shown('.operation[id]')).toEqual(['readProfile']);
    expect(await status()).toBe('Results: 1');
    expect(await shown('.contents-entry')).toHaveLength(1);
    await searchFor('idempotency-conflict');
    expect(await shown('.operation[id]')).toContain('createApplication');
    expect(await shown('.operation[id]')).not.toContain('readBalances');
    await searchFor('refund payment.refunded');
    expect(await shown('.operation[id]')).toContain('payment.refunded');
    await page.keyboard.press('Escape');
    expect(await shown('.operation[id]')).toEqual(all);
    expect(await status()).toBe('');
  });

  test('says that nothing was found', async () => {
    await open();
    await searchFor('xyzzy');
    expect(await shown('#none-found')).toHaveLength(1);
    expect(await shown('.operation[id]')).toEqual([]);
    expect(await status()).toBe('Results: 0');
  });

  test('begins with a slash, but not where somebody types', async () => {
    await open();
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
    await page.keyboard.type('a/b');
    expect(await page.$eval('#search', (input) => (input as HTMLInputElement).value)).toBe('a/b');
  });

  test('gives way to a link to what it has hidden', async () => {
    await open();
    await searchFor('/me/assets');
    await page.evaluate(() => (location.hash = '#error-not-found'));
    await page.waitForFunction(() => document.querySelector('#error-not-found')?.checkVisibility());
    expect(await page.$eval('#search', (input) => (input as HTMLInputElement).value)).toBe('');
  });
});

test('examples are in the language that was chosen, also at the next visit', async () => {
  await open();
  const languages = async () =>
    new Set(
      await page.$$eval('#readMe .code-frame', (all) =>
        all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('data-code')),
      ),
    );
  expect(await languages()).toEqual(new Set(['curl', 'Response 200']));
  await page.click('[data-language=JavaScript]');
  expect(await languages()).toEqual(new Set(['JavaScript', 'Response 200']));
  await open();
  expect(await languages()).toEqual(new Set(['JavaScript', 'Response 200']));
  await page.click('[data-language=curl]');
});

test('is legible on a phone, with its contents folded', async () => {
  await page.setViewport({ width: 320, height: 640 });
  await open();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await shown('.contents-entry')).toEqual([]);
  await page.click('.contents-fold > summary');
  expect((await shown('.contents-entry')).length).toBeGreaterThan(50);
  await page.click('.contents a[href="#listPayments"]');
  expect(await shown('.contents-entry')).toEqual([]);
  expect(await page.$eval('#listPayments', (one) => one.getBoundingClientRect().top)).toBeLessThan(100);
  for (const details of await page.$$('.reference-fold'))
    await details.evaluate((element) => element.setAttribute('open', ''));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.setViewport({ width: 1280, height: 900 });
});

test('is unfolded on paper, with every field, and folded again after', async () => {
  await open();
  const folded = () => page.$$eval('.reference-fold:not([open])', ({ length }) => length);
  const before = await folded();
  expect(before).toBeGreaterThan(50);
  await page.emulateMediaType('print');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await folded()).toBe(0);
  expect(await shown('.contents')).toEqual([]);
  expect(await page.$eval('#listPayments', (one) => (one as HTMLElement).innerText)).toContain('nextCursor');
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMediaType('screen');
  expect(await folded()).toBe(before);
});

test.each(['light', 'dark'])('Axe finds nothing, in %s', async (scheme) => {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await open();
  expect(await axe(page)).toEqual([]);
});

test('without scripts everything is there, examples in both languages', async () => {
  const plain = await browser.newPage();
  await plain.setJavaScriptEnabled(false);
  await plain.goto(`${app.baseUrl}/api/reference`);
  const text = await plain.$eval('#readMe', (one) => (one as HTMLElement).innerText);
  expect(text).toContain('curl "');
  expect(text).toContain('await fetch(');
  expect(await plain.$('.reference-search:not([hidden]), #languages:not([hidden])')).toBeNull();
  await plain.close();
});
