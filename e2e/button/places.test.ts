/** Tests buttons that are added to and removed from unusual places: shadow roots, nodes from other documents, SVG. */
import { expect, test } from 'vitest';
import { buttonIn } from '../../tooling/drive/wallet.ts';
import { dragThumb, usePlaces, PAYS, page, visit, shows } from './places-stage.ts';

usePlaces();

test('a button that is reinserted while it pays keeps its payment, and then applies changed attributes', async () => {
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

test('[R-24] the thumb follows the pointer in a scaled carousel, and nothing else moves', async () => {
  await visit(
    `<div id="carousel" style="padding:40px;inline-size:600px;transform:scale(0.5);transform-origin:0 0"><div ${PAYS} data-button-id="stuck"></div></div>`,
    `<script>
    addEventListener('DOMContentLoaded', () => {
      let from = null;
      carousel.addEventListener('pointerdown', (event) => (from = event.clientX));
      addEventListener('pointermove', (event) => {
        if (from !== null) carousel.style.translate = event.clientX - from + 'px';
      });
    });
  </script>`,
  );
  await buttonIn(page, 'ready');
  expect(await dragThumb()).toBeLessThan(2);
  await buttonIn(page, 'working');
  expect(await page.$eval('#carousel', (carousel) => (carousel as HTMLElement).style.translate)).toBe('');
});

test('[R-24] a click leads to a second step, which pays', async () => {
  await visit(`<div ${PAYS} data-button-id="stuck"></div>`);
  await buttonIn(page, 'ready');
  await page.click('.service-button');
  const pay = (await page.waitForSelector('.service-button >>> [part=pay]'))!;
  expect(await pay.evaluate((button) => button.textContent)).toBe('Pay $0.10');
  expect(await page.$eval('.service-button', (host) => (host as HTMLElement).dataset.state)).toBe('ready');
  await page.keyboard.press('Enter');
  await buttonIn(page, 'working');
});
