// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SITE_TEXTS } from '../../../page/texts.ts';

const SCRIPT = readFileSync(path.join(import.meta.dirname, '../../assets/account.js'), 'utf8');

test('the refund button disappears once the typed amount differs from its own', () => {
  document.documentElement.lang = 'en';
  document.body.innerHTML = `<main data-texts='${JSON.stringify(SITE_TEXTS.en.account.script)}'>
    <form data-refund><input id="amount"></form><section data-refund-pay><div class="service-button"></div></section></main>`;
  new Function(SCRIPT)();
  const pay = () => document.querySelector('.service-button');
  expect(pay()).not.toBeNull();
  document.querySelector('#amount')?.dispatchEvent(new Event('input', { bubbles: true }));
  expect(pay()).toBeNull();
});
