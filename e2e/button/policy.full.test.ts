import { expect, test } from 'vitest';
import { buttonIn, swipe } from '../../tooling/drive/wallet.ts';
import { usePolicies, BUTTON, hash, service, page, visit, broken } from './policy-stage.ts';

usePolicies();

const name = () =>
  page.$eval('.service-button', (host) => host.shadowRoot!.querySelector('[role=slider]')!.getAttribute('aria-label'));

test('an editable one and the way by phone need no more than the nonce', async () => {
  await visit(
    `default-src 'none'; script-src 'nonce-page'`,
    `<script nonce="page">window.walletless = true</script><script nonce="page" src="${service.url}/button.js"></script>`,
    `${BUTTON}<div class="service-button" data-editable="true"></div>`,
  );
  await buttonIn(page, 'no-wallet');
  await buttonIn(page, 'no-wallet', 1);
  await page.$eval('.service-button', (host) => host.shadowRoot!.querySelector<HTMLElement>('.phone')!.click());
  await page.waitForFunction(() => document.querySelector('.service-button')!.shadowRoot!.querySelector('dialog svg'));
  // This policy forbids the request for the exchange rate: the panel shows that the code lacks the amount.
  expect((await broken()).every((one) => one.startsWith('connect-src'))).toBe(true);
  expect(
    await page.$eval('.service-button', (host) => host.shadowRoot!.querySelector('dialog')!.textContent),
  ).toContain('0,10');
});

test('a page that pins the script gets no part that it has not pinned, and the button speaks English', async () => {
  await visit(
    `script-src 'self' 'nonce-page' ${service.url}`,
    `<script src="${service.url}/button.js" integrity="${hash('button.js')}" crossorigin="anonymous"></script>`,
    `${BUTTON}<div class="service-button" data-editable="true"></div>`,
  );
  await buttonIn(page, 'ready');
  expect(await name()).toBe('Swipe to pay 0,10\u00a0$');
  expect(await page.$$eval('script[src]', (scripts) => scripts.length)).toBe(1);
  await buttonIn(page, 'failed', 1);
  expect(await page.$$eval('.service-button', ([, host]) => (host as HTMLElement).dataset.reason)).toBe('missing-part');
});

test('parts that the policy refuses cost the language and the line below the amount, not the payment', async () => {
  await visit(`script-src 'nonce-page' ${service.url}/button.js`, `<script src="${service.url}/button.js"></script>`);
  await swipe(page, await buttonIn(page, 'ready'));
  await buttonIn(page, 'done');
  // button.de.js and button.help.js
  expect(await broken()).toHaveLength(2);
  expect(await name()).toBe('Swipe to pay 0,10\u00a0$');
});
