import { expect, test } from 'vitest';
import { axe } from '../drive/axe.ts';
import { useReference, page, open, shown } from './api-reference-stage.ts';

useReference();

test('a slash opens the search, except in a text field', async () => {
  await open();
  await page.keyboard.press('/');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
  await page.keyboard.type('a/b');
  expect(await page.$eval('#search', (input) => (input as HTMLInputElement).value)).toBe('a/b');
});

test.each([
  ['listPayments', '/api/reference/api-v2-payments#listPayments'],
  ['error-not-found', '/api/reference/errors#error-not-found'],
])('links to the former single page lead to the current page of #%s', async (anchor, url) => {
  await open(`#${anchor}`);
  await page.waitForFunction((to) => location.pathname + location.hash === to, {}, url);
  await page.waitForSelector(`#${anchor}`);
});

test('examples are shown in the chosen programming language, including on the next visit', async () => {
  await open('/api-v2-users');
  const languages = async () =>
    new Set(
      await page.$$eval('#readMe .code-frame', (all) =>
        all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('data-code')),
      ),
    );
  expect(await languages()).toEqual(new Set(['curl', 'Response 200']));
  await page.click('[data-language=JavaScript]');
  expect(await languages()).toEqual(new Set(['JavaScript', 'Response 200']));
  await open('/api-v2-users');
  expect(await languages()).toEqual(new Set(['JavaScript', 'Response 200']));
  await page.click('[data-language=curl]');
});

test('the reference is legible on a phone, with its contents collapsed', async () => {
  await page.setViewport({ width: 320, height: 640 });
  await open('/api-v2-payments');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await shown('.contents-entry')).toEqual([]);
  await page.click('.contents-fold > summary');
  expect((await shown('.contents-part')).length).toBeGreaterThan(15);
  await page.click('.contents a[href="#listPayments"]');
  expect(await shown('.contents-entry')).toEqual([]);
  expect(await page.$eval('#listPayments', (one) => one.getBoundingClientRect().top)).toBeLessThan(100);
  for (const details of await page.$$('.reference-fold'))
    await details.evaluate((element) => element.setAttribute('open', ''));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.setViewport({ width: 1280, height: 900 });
});

test('the reference is printed with all fields expanded, and collapsed again afterwards', async () => {
  await open('/api-v2-payments');
  const folded = () => page.$$eval('.reference-fold:not([open])', ({ length }) => length);
  const before = await folded();
  expect(before).toBeGreaterThan(3);
  await page.emulateMediaType('print');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await folded()).toBe(0);
  expect(await shown('.contents')).toEqual([]);
  expect(await page.$eval('#listPayments', (one) => (one as HTMLElement).innerText)).toContain('nextCursor');
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMediaType('screen');
  expect(await folded()).toBe(before);
});

test.each(['light', 'dark'])('Axe finds no violations in %s', async (scheme) => {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  for (const place of ['', '/api-v2-payments', '/webhooks', '/errors', '/search?q=token']) {
    await open(place);
    expect(await axe(page), place).toEqual([]);
  }
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

test('the reference is printed in light colors, without controls and with nothing cut off', async () => {
  await page.setViewport({ width: 718, height: 1000 });
  for (const place of ['/errors', '/api-v2-payments', '/webhooks']) {
    await open(place);
    await page.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
    await page.emulateMediaType('print');
    expect(await page.$eval('h1', (element) => getComputedStyle(element).color)).toBe('rgb(18, 26, 28)');
    expect(await shown('.contents, .page-header nav, .code-head button')).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(718);
    const cut = await page.$$eval('pre', (all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
    expect(cut).toBe(0);
    await page.emulateMediaType('screen');
  }
  await page.setViewport({ width: 1280, height: 900 });
});
