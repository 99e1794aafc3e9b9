import { beforeEach, describe, expect, test } from 'vitest';
import { axe } from '../drive/axe.ts';
import { useDashboard, browser, scene, page, newcomer, visit, text, press } from './dashboard-stage.ts';

useDashboard();

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  beforeEach(() =>
    Promise.all(
      [page, newcomer].map((one) => one.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])),
    ),
  );

  test('Axe finds no violations on any page, empty or with content', async () => {
    const found: Record<string, string[]> = {};
    for (const [name, path] of Object.entries(scene.paths)) {
      await visit(path);
      for (const details of await page.$$('details'))
        await details.evaluate((element) => element.setAttribute('open', ''));
      found[name] = await axe(page);
    }
    for (const name of ['overview', 'payments', 'payments-failed', 'applications', 'connected']) {
      await visit(scene.paths[name] ?? '', newcomer);
      found[`${name}, empty`] = await axe(newcomer);
    }
    await visit('/account/applications/new');
    await page.type('#name', 'Shop');
    await page.type('#url', 'http://shop.example');
    await press('main button');
    found['a form that comes again'] = await axe(page);
    expect(Object.entries(found).filter(([, lines]) => lines.length > 0)).toEqual([]);
    expect(Object.keys(found)).toHaveLength(Object.keys(scene.paths).length + 6);
  });
});

test('nothing is cut off or overflows at 320 px, with long words and from right to left', async () => {
  await page.setViewport({ width: 320, height: 700 });
  const wide: string[] = [];
  for (const language of ['en', 'de', 'ar']) {
    await page.setExtraHTTPHeaders({ 'Accept-Language': language });
    for (const [name, path] of Object.entries(scene.paths)) {
      await visit(path);
      const [lang, width] = await page.evaluate(
        () => [document.documentElement.lang, document.documentElement.scrollWidth] as const,
      );
      if (lang !== language || width > 320) wide.push(`${name} in ${lang}: ${width} px`);
    }
  }
  expect(wide).toEqual([]);
  await page.setExtraHTTPHeaders({});
  await page.setViewport({ width: 900, height: 900 });
});

test('a new secret and deletion need a confirmation', async () => {
  await visit(scene.paths['application-bare'] ?? '');
  await page.locator('::-p-aria(Credentials)').click();
  await press('a[href$="/secret"]');
  expect(await text()).toContain('Create a new client secret?');
  await press('main form button');
  expect(await text()).toMatch(/New client secret created\.[^]*Client secret\s+[A-Za-z0-9]{48}/);
  await press('a[href$="/delete"]');
  await press('main form a');
  expect(await text()).toContain('An-unusually-long-name');
  await press('a[href$="/delete"]');
  await press('main form button');
  expect(await text()).toContain('Application deleted.');
  expect(await text()).not.toContain('An-unusually-long-name');
});

test('access is revoked immediately', async () => {
  await visit('/account/connected');
  const connected = () => page.$$eval('main form', (forms) => forms.length);
  expect(await text()).toContain('Reading Room');
  for (let left = await connected(); left > 0; left -= 1) {
    await press('main form button');
    expect(await text()).toContain('Access removed.');
    expect(await connected()).toBe(left - 1);
  }
  expect(await text()).toContain('No application has access');
});

test('signing out ends the session', async () => {
  const leaving = await scene.open(browser, 'full');
  await visit('/account', leaving);
  await press('form[action="/sign-out"] button', leaving);
  await visit('/account', leaving);
  expect(new URL(leaving.url()).pathname).toBe('/sign-in');
  await leaving.browserContext().close();
});

test('times, days and sums use the viewer’s time zone', async () => {
  await page.emulateTimezone('Asia/Tokyo');
  const path = scene.paths['application-payments'] ?? '';
  await visit(path);
  // Payments are grouped by UTC day at first, then by day in the time zone that the page reports.
  await page.waitForSelector('[data-shown-in="Asia/Tokyo"]');
  expect(await text()).toContain('Days and times are in Asia/Tokyo.');
  const [shown, iso] = await page.$eval('.payment-row time', (time) => [
    time.textContent,
    (time as HTMLTimeElement).dateTime,
  ]);
  const there = new Date(Date.parse(iso ?? '') + 540 * 60_000).toISOString();
  expect(shown).toContain(there.slice(11, 16));
  expect(shown).not.toContain('UTC');
  // The list and the export match the form's filter.
  await page.locator('#status').fill('FAILED');
  await page.locator('#button').fill('order-1');
  await press('.filters button');
  expect(await page.$$eval('.payment-row', (rows) => rows.map((row) => row.textContent))).toEqual([
    expect.stringMatching(/USD[^]*order-1[^]*Failed/),
  ]);
  const exported = await page.$eval('a[download]', async (link) =>
    (await fetch((link as HTMLAnchorElement).href)).text(),
  );
  expect(exported.split('\r\n')).toHaveLength(3);
  expect(exported).toMatch(/,FAILED,[^\r]*,order-1,/);
  await page.emulateTimezone('UTC');
});

test('the button next to an identifier copies it and names it', async () => {
  const { origin } = new URL(scene.app.baseUrl);
  await page
    .browserContext()
    .setPermission(
      origin,
      { permission: { name: 'clipboard-read' }, state: 'granted' },
      { permission: { name: 'clipboard-write' }, state: 'granted' },
    );
  await visit(scene.paths.application ?? '');
  const identifier = await page.$eval('.whole', (value) => value.textContent);
  await page.bringToFront();
  await page.locator('::-p-aria(Copy: Client identifier)').click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role=status]')].some(({ textContent }) => textContent === 'Copied'),
  );
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(identifier);
});
