/**
 * Where in a page a button may be, and how it is added and removed there: shadow roots, nodes of other documents, SVG.
 */
import { expect, test } from 'vitest';
import { buttonIn } from '../drive/wallet.ts';
import { usePlaces, PAYS, page, visit, shows } from './places-stage.ts';

usePlaces();

test('taken out and put back while it works, it keeps its payment; what changed meanwhile counts afterwards', async () => {
  await visit(
    `<main></main><div ${PAYS} data-button-id="stuck"></div>`,
    `<script>
    // The fake wallet in the page answers this request on demand.
    let asked;
    addEventListener('message', ({ data }) => { if (data.method === 'payment/request') { asked = data; window.requests = (window.requests ?? 0) + 1; } });
    window.pay = () => postMessage({ channel: 'service-button/1', to: 'page', id: asked.id, result: { payment: { id: 'p', amount: '0.10', currency: 'USD' }, cryptoOperations: [] } }, '*');
  </script>`,
  );
  await buttonIn(page, 'ready');
  await page.focus('.service-button >>> [role=slider]');
  await page.keyboard.press('End');
  await buttonIn(page, 'working');
  await page.$eval('.service-button', async (host) => {
    host.remove();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    document.querySelector('main')!.append(host);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    host.setAttribute('data-amount', '5');
  });
  await buttonIn(page, 'working');
  await page.evaluate(() => (window as unknown as { pay(): void }).pay());
  await buttonIn(page, 'done');
  await buttonIn(page, 'ready');
  expect(await page.evaluate(() => (window as unknown as { requests: number }).requests)).toBe(1);
  await shows('ready', '$5.00');
});
