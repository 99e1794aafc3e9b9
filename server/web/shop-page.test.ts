// @vitest-environment happy-dom
/** The demo shop in every language, and the receipt that its script shows. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { LanguageCode } from '../../protocol/languages.ts';
import { SITE_TEXTS } from '../page/texts.ts';
import { shopPage } from './shop-page.ts';

const SCRIPT = readFileSync(path.join(import.meta.dirname, 'assets/shop.js'), 'utf8');
const PAYMENT = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  amount: '1234.5',
  currency: 'USD',
  satoshis: '1234567',
  status: 'COMPLETED',
  txid: 'ab'.repeat(32),
  buttonId: 'shop-article',
};
/** Renders the shop without an address, which is the version with the most text. */
const shown = (language: LanguageCode) => shopPage(null, 'devnet')(SITE_TEXTS[language], language);
const words = () => document.body.textContent ?? '';

function textsIn(object: object): string[] {
  return Object.values(object).flatMap((text: string | object) => (typeof text === 'string' ? [text] : textsIn(text)));
}

/** Opens the page. Returns its buttons' callbacks. */
function open(language: LanguageCode) {
  document.documentElement.lang = language;
  document.body.innerHTML = shown(language).main.toString();
  const page = {} as { onShopPayment(payment: object): void; onShopError(error: object): void };
  // oxlint-disable-next-line no-new-func -- SCRIPT is a plain script, run with `page` as its `window`
  new Function('window', SCRIPT)(page);
  Element.prototype.scrollIntoView = vi.fn();
  return page;
}

describe.each(Object.keys(SITE_TEXTS) as LanguageCode[])('the shop in %s', (language) => {
  const { script, ...page } = SITE_TEXTS[language].shop;

  it('shows each of its texts, and English ones only in English', () => {
    const { title, description } = shown(language);
    open(language);
    const labels = [...document.querySelectorAll('[data-label]')].map((one) => one.getAttribute('data-label'));
    const receipt = document.getElementById('receipt')?.getAttribute('aria-label');
    const all = [title, description, words(), ...labels, receipt].join('\n');
    for (const text of textsIn(page)) expect(all).toContain(text);
    if (language === 'en') return;
    for (const text of textsIn(SITE_TEXTS.en.shop)) if (text.includes(' ')) expect(all).not.toContain(text);
  });

  it('shows a receipt with its numbers formatted for the language', () => {
    open(language).onShopPayment(PAYMENT);
    const rows = [...document.querySelectorAll('#receipt dt')].map((one) => one.textContent);
    expect(rows).toEqual([
      script.paidFor,
      script.paid,
      script.satoshis,
      script.status,
      script.transaction,
      script.payment,
    ]);
    const values = [...document.querySelectorAll('#receipt dd')].map((one) => one.textContent);
    const figures = new Intl.NumberFormat(`${language}-u-nu-latn`, { minimumFractionDigits: 2 });
    expect(values.slice(0, 4)).toEqual([
      'shop-article',
      `${figures.format(1234.5)} USD`,
      new Intl.NumberFormat(`${language}-u-nu-latn`).format(1234567),
      script.statuses.COMPLETED,
    ]);
    expect(document.querySelectorAll('#receipt dd > bdi')).toHaveLength(6);
  });

  it('reports a failed payment', () => {
    open(language).onShopError({ code: 'user-refused', message: 'The user refused the payment.' });
    expect(words()).toContain(script.failed);
    expect(words()).toContain(script.seeButton);
    expect(words()).not.toContain('The user refused');
  });
});

it('names the purchase by its button’s label', () => {
  open('en').onShopPayment({ ...PAYMENT, label: 'Read the <b>article</b>' });
  expect(words()).toContain('Read the <b>article</b>');
  expect(words()).not.toContain('shop-article');
});

it('keeps every digit of an amount, and never renders payment data as HTML', () => {
  open('en').onShopPayment({ ...PAYMENT, amount: '0.00012345678901', buttonId: '<b>a</b>' });
  expect(words()).toContain('0.00012345678901 USD');
  expect(document.querySelector('#receipt b')).toBeNull();
});
