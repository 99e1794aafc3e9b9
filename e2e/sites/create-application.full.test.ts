/** Tests the account pages in a real browser, including use with a keyboard and a screen reader. */
import { expect, test } from 'vitest';
import { axe } from '../drive/axe.ts';
import { useDashboard, newcomer, visit, text } from './dashboard-stage.ts';

useDashboard();

test('an application can be created by keyboard, and its secrets are shown once', async () => {
  await visit('/account/applications/new', newcomer);
  const type = async (value: string) => {
    await newcomer.keyboard.press('Tab');
    await newcomer.keyboard.type(value);
  };
  await newcomer.focus('#name');
  await newcomer.keyboard.type('Keyboard Shop');
  await type('http://wrong.example');
  await Promise.all([newcomer.waitForNavigation(), newcomer.keyboard.press('Enter')]);
  // The error summary has the focus and links to the invalid field, whose text is preserved. The browser moves the
  // focus with a delay.
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
  // The only cookie that scripts can read contains the time zone, and no secret remains.
  expect(await newcomer.evaluate(() => document.cookie)).toMatch(/^time-zone=[A-Za-z%]+$/);
});
