/** The pages of an account in a real browser: for eyes, for a keyboard, for a screen reader. */
import { expect, test } from 'vitest';
import { axe } from './drive/axe.ts';
import { useDashboard, scene, page, newcomer, visit, text, press } from './dashboard-stage.ts';

useDashboard();

test('an application is made with the keyboard alone, and its secrets are shown once', async () => {
  await visit('/account/applications/new', newcomer);
  const type = async (value: string) => {
    await newcomer.keyboard.press('Tab');
    await newcomer.keyboard.type(value);
  };
  await newcomer.focus('#name');
  await newcomer.keyboard.type('Keyboard Shop');
  await type('http://wrong.example');
  await Promise.all([newcomer.waitForNavigation(), newcomer.keyboard.press('Enter')]);
  // What is wrong is read first, and leads to the field, in which all is as it was.
  // (The browser gives the focus with a frame of its own, some time after the page has come.)
  await newcomer.waitForFunction(() => document.activeElement?.getAttribute('role') === 'alert');
  await newcomer.keyboard.press('Tab');
  await newcomer.keyboard.press('Enter');
  expect(
    await newcomer.$eval('#url', (input) => [(input as HTMLInputElement).value, input.getAttribute('aria-invalid')]),
  ).toEqual(['http://wrong.example', 'true']);
  await newcomer.focus('#url');
  await newcomer.keyboard.down('Control');
  await newcomer.keyboard.press('KeyA');
  await newcomer.keyboard.up('Control');
  await newcomer.keyboard.type('https://keyboard.example');
  await Promise.all([newcomer.waitForNavigation(), newcomer.keyboard.press('Enter')]);
  const shown = await text(newcomer);
  expect(shown).toContain('Application created.');
  expect(shown).toMatch(/Client secret\s+[A-Za-z0-9]{48}\s+Copy\s+Webhook secret\s+whsec_/);
  expect(await axe(newcomer)).toEqual([]);
  await newcomer.reload();
  expect(await text(newcomer)).not.toMatch(/whsec_|is ready/);
  // The one cookie that scripts may read names the time zone, and nothing else is left of the secrets.
  expect(await newcomer.evaluate(() => document.cookie)).toMatch(/^time-zone=[A-Za-z%]+$/);
});

test('times and days are the viewer’s own, and sums follow them', async () => {
  await page.emulateTimezone('Asia/Tokyo');
  const path = scene.paths['application-payments'] ?? '';
  await visit(path);
  // Summed up by UTC at first, and then once more: the server learns the zone from the page.
  await page.waitForSelector('[data-shown-in="Asia/Tokyo"]');
  expect(await text()).toContain('Days and times are in Asia/Tokyo.');
  const [shown, iso] = await page.$eval('.payment-row time', (time) => [
    time.textContent,
    (time as HTMLTimeElement).dateTime,
  ]);
  const there = new Date(Date.parse(iso ?? '') + 540 * 60_000).toISOString();
  expect(shown).toContain(there.slice(11, 16));
  expect(shown).not.toContain('UTC');
  // What a form asks for is what comes, and the export is of the same.
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

test('identifiers are copied by a button that says which one it copies', async () => {
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
  await page.waitForFunction(() => document.querySelector('[role=status]')?.textContent === 'Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(identifier);
});
