import { expect, test } from 'vitest';
import { buttonIn, swipe } from '../../tooling/drive/wallet.ts';
import { usePolicies, BUTTON, hash, service, page, visit, broken } from './policy-stage.ts';

usePolicies();

const name = () =>
  page.$eval('.service-button', (host) => host.shadowRoot!.querySelector('[role=slider]')!.getAttribute('aria-label'));

test('an editable button and paying by phone need only the nonce', async () => {
  await visit(
    `default-src 'none'; script-src 'nonce-page'`,
    `<script nonce="page">window.walletless = true</script><script nonce="page" src="${service.url}/button.js"></script>`,
    `${BUTTON}<div class="service-button" data-editable="true"></div>`,
  );
  await buttonIn(page, 'no-wallet');
  await buttonIn(page, 'no-wallet', 1);
  await page.$eval('.service-button', (host) => host.shadowRoot!.querySelector<HTMLElement>('.phone')!.click());
  await page.waitForFunction(() => document.querySelector('.service-button')!.shadowRoot!.querySelector('dialog svg'));
  // This policy blocks the request for the exchange rate, so the panel warns that the QR code contains no amount.
  expect((await broken()).every((one) => one.startsWith('connect-src'))).toBe(true);
  expect(
    await page.$eval('.service-button', (host) => host.shadowRoot!.querySelector('dialog')!.textContent),
  ).toContain('0,10');
});

test('a page with a pinned script loads only pinned parts, and its button is in English', async () => {
  const { path } = (await (await fetch(`${service.url}/button.json`)).json()) as { path: string };
  await visit(
    `script-src 'self' 'nonce-page' ${service.url}`,
    `<script src="${service.url}${path}" integrity="${hash('button.js')}" crossorigin="anonymous"></script>`,
    `${BUTTON}<div class="service-button" data-editable="true"></div>`,
  );
  await buttonIn(page, 'ready');
  expect(await name()).toBe('Swipe to pay 0,10\u00a0$');
  expect(await page.$$eval('script[src]', (scripts) => scripts.length)).toBe(1);
  await buttonIn(page, 'failed', 1);
  expect(await page.$$eval('.service-button', ([, host]) => (host as HTMLElement).dataset.reason)).toBe('missing-part');
});

test('a button pays in English and without its fee line if the policy blocks those parts', async () => {
  await visit(`script-src 'nonce-page' ${service.url}/button.js`, `<script src="${service.url}/button.js"></script>`);
  await swipe(page, await buttonIn(page, 'ready'));
  await buttonIn(page, 'done');
  // blocked: button.de.js and button.help.js
  expect(await broken()).toHaveLength(2);
  expect(await name()).toBe('Swipe to pay 0,10\u00a0$');
});
