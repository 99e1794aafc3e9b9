/** The pages of an account in a real browser: for eyes, for a keyboard, for a screen reader. */
import { expect, test } from 'vitest';
import { axe } from './drive/axe.ts';
import { useDashboard, newcomer, visit, text } from './dashboard-stage.ts';

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
