/** More of api-reference.test.ts, which only the full run tries. */
import { describe, expect, test } from 'vitest';
import { axe } from './drive/axe.ts';
import { useReference, page, open, shown, searchFor, status } from './api-reference-stage.ts';

useReference();

describe('searching', () => {
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
