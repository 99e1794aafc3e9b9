/** The API reference in a real browser: for those who search, who copy, who print, and who run no scripts. */
import { describe, expect, test } from 'vitest';
import { useReference, app, browser, page, open, shown, searchFor, status } from './api-reference-stage.ts';

useReference();

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
    expect(await shown('.operation[id]')).toContain('event-payment-refunded');
    await page.keyboard.press('Escape');
    expect(await shown('.operation[id]')).toEqual(all);
    expect(await status()).toBe('');
  });
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
