import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import { build, preview } from 'vite';
import { expect, test } from 'vitest';
import type { Payment } from '../../protocol/payments/payment.ts';
import { freePort } from '../../tooling/free-port.ts';
import { ADDRESS } from '../drive/scene.ts';
import { approve, ask, pressWhenReady, swipe } from '../../tooling/drive/wallet.ts';
import { useExamples, scene, consumer, servers, serve, open, inState, text, USUAL_SERVICE } from './examples-stage.ts';

useExamples();

const shown = (host: ElementHandle<HTMLElement>, selector: string) =>
  host.evaluate((element, css) => element.shadowRoot?.querySelector(css)?.textContent ?? '', selector);
const slider = async (host: ElementHandle<HTMLElement>) =>
  (await host.evaluateHandle((element) => element.shadowRoot?.querySelector('[role=slider]'))) as ElementHandle;

test('the custom element follows a changed attribute and reports the payment in an event', async () => {
  const page = await open(await serve('custom-element'));
  await page.evaluate(() =>
    addEventListener('payment', ({ detail }: CustomEventInit<Payment>) => Object.assign(window, { told: detail })),
  );
  const host = await inState(page, 'service-button', 'ready');
  const before = await slider(host);
  await page.click('label:has([value="1.00"])');
  await page.waitForFunction(
    (element) => element.shadowRoot?.querySelector('.amount')?.textContent?.includes('1.00'),
    {},
    host,
  );
  expect(await (await slider(host)).evaluate((now, then) => now === then, before)).toBe(true);
  expect(await page.evaluate((element) => element.dataset.state, host)).toBe('ready');
  await swipe(page, host);
  await approve(scene.wallet);
  await inState(page, 'service-button', 'done');
  await text(page, '#thanks', 'Thank you for 1.00 USD!');
  const { txid } = await page.evaluate(() => (window as unknown as { told: Payment }).told);
  expect(await scene.paid()).toContainEqual({ txid, satoshis: 2_000_000 });
});

const TOGGLE = `
  import { StrictMode, useState } from 'react';
  import { createRoot } from 'react-dom/client';
  import { setServiceUrl } from 'service-button';
  import ServiceButton from 'service-button/react'; // as pages for the original import it
  setServiceUrl('${USUAL_SERVICE}');
  function Page() {
    const [here, setHere] = useState(true);
    return <><button type="button" onClick={() => setHere(!here)}>Toggle</button>{here && <ServiceButton to="${ADDRESS}" amount="1" currency="USD" />}</>;
  }
  createRoot(document.getElementById('root')!).render(<StrictMode><Page /></StrictMode>);
`;

async function serveBuilt(): Promise<string> {
  const root = consumer.directory;
  await cp('examples/react', root, { recursive: true });
  await consumer.write('toggle.tsx', TOGGLE);
  await consumer.write(
    'toggle.html',
    (await readFile('examples/react/index.html', 'utf8')).replace('main.tsx', 'toggle.tsx'),
  );
  await build({
    root,
    logLevel: 'error',
    build: { rollupOptions: { input: ['index.html', 'toggle.html'].map((file) => join(root, file)) } },
  });
  const port = await freePort();
  const server = await preview({ root, logLevel: 'error', preview: { host: '127.0.0.1', port, strictPort: true } });
  servers.push(server);
  return `http://127.0.0.1:${port}/`;
}

test('the React component changes in place, pays, calls back, and is removed when unmounted', async () => {
  const url = await serveBuilt();
  const page = await open(url);
  const host = await inState(page, '.service-button', 'ready');
  const before = await slider(host);
  expect(await shown(host, '.amount')).toContain('1.50');
  await page.click('[aria-label="One more"]');
  await page.waitForFunction(
    (element) => element.shadowRoot?.querySelector('.amount')?.textContent?.includes('3.00'),
    {},
    host,
  );
  expect(await shown(host, '.label')).toBe('2 cups');
  expect(await (await slider(host)).evaluate((now, then) => now === then, before)).toBe(true);
  expect(await page.evaluate((element) => element.dataset.state, host)).toBe('ready');
  const paidBefore = (await scene.paid()).length;
  await swipe(page, host);
  await approve(scene.wallet);
  await inState(page, '.service-button', 'done');
  await text(page, '[role=status]', 'Paid 3.00 USD');
  expect((await scene.paid()).length).toBe(paidBefore + 1);

  const toggle = await open(`${url}toggle.html`);
  const gone = await inState(toggle, '.service-button', 'ready');
  await toggle.click('button');
  await toggle.waitForFunction(
    (element) => !element.isConnected && !element.dataset.state && !element.shadowRoot?.querySelector('[role=slider]'),
    {},
    gone,
  );
  await toggle.click('button');
  await inState(toggle, '.service-button', 'ready');
});

test('the example imb charges for a paragraph by swipe, then gets an allowance and charges without a window', async () => {
  const page = await open(await serve('imb'));
  const paragraphs = (count: number) =>
    page.waitForFunction(
      (wanted) => document.querySelectorAll('#text p').length === wanted,
      { polling: 'mutation' },
      count,
    );
  const press = async (id: string) => {
    await page.bringToFront();
    await (await page.waitForSelector(`#${id}:not(:disabled)`))?.click();
  };
  await paragraphs(1);
  const before = (await scene.paid()).length;
  await press('more');
  await approve(scene.wallet);
  await paragraphs(2);

  await press('allow');
  const asking = await scene.wallet.approval();
  await asking.waitForSelector('button[data-action=grant]');
  await pressWhenReady(asking, 'button[data-action=grant]');
  await text(page, '#note', '$0.50 of your allowance left');

  const windows = scene.wallet.approvalCount().ever;
  await press('more');
  await paragraphs(3);
  await text(page, '#note', '$0.489');
  await press('more');
  await paragraphs(4);
  expect(scene.wallet.approvalCount().ever).toBe(windows);
  expect((await scene.paid()).length).toBe(before + 3);
});

test('the example letters signs, encrypts, decrypts and verifies by swipes without a payment', async () => {
  const page = await open(await serve('letters'));
  const before = (await scene.paid()).length;
  const swiped = async (id: string) => {
    await scene.wallet.noApproval(); // earlier windows close automatically
    await page.bringToFront();
    await swipe(page, await inState(page, `#${id}`, 'ready'));
    const asking = await scene.wallet.approval();
    await asking.waitForSelector('button[data-action=sign]');
    await pressWhenReady(asking, 'button[data-action=sign]');
    await inState(page, `#${id}`, 'done');
  };
  const { account } = await ask(scene.page, 'wallet/overview', {});
  await page.type('#to', account?.paymail ?? '');
  await page.type('#letter', 'The tide is at six.');
  await swiped('seal');
  const sealed = await page.$eval('#sealed', (field) => (field as HTMLTextAreaElement).value);
  expect(sealed).not.toContain('tide');
  await page.$eval(
    '#got',
    (field, pasted) => {
      (field as HTMLTextAreaElement).value = pasted;
      field.dispatchEvent(new Event('input'));
    },
    sealed,
  );
  await swiped('open');
  await text(page, '#text', 'The tide is at six.');
  await swiped('check');
  await text(page, '#who', `Written by ${account?.paymail}.`);
  expect((await scene.paid()).length).toBe(before);
  // The activity lists all operations, but without decrypted text.
  const { items } = await ask(scene.page, 'activity/list', { limit: 10, search: 'decrypt' });
  expect(items).toMatchObject([{ satoshis: '0', operations: [{ method: 'decrypt', value: null }] }]);
});

test('the example brc100 calls ten methods through the unchanged client, which finds window.CWI', async () => {
  const page = await open(await serve('brc100'));
  await text(page, '#wallet', 'service-button-');
  await text(page, '#wallet', 'testnet, not connected');
  await page.type('#note', 'The tide is at six.');
  const windows = scene.wallet.approvalCount().ever;
  await page.click('#seal');
  const asking = await scene.wallet.approval();
  await asking.waitForSelector('button[data-action=permit]');
  await pressWhenReady(asking, 'button[data-action=permit]');
  await text(page, '#sealed', 'bytes, signed by 0');
  await page.click('#open');
  await text(page, '#opened', 'The tide is at six.');
  expect(scene.wallet.approvalCount().ever).toBe(windows + 1);
  // The other eight methods are rejected as unsupported, in BRC-100's error format.
  const refused = await page.evaluate(() =>
    (window as any).CWI.listCertificates({ certifiers: [], types: [] }).catch((error: object) => ({ ...error })),
  );
  expect(refused).toMatchObject({ code: 2, name: 'WERR_NOT_IMPLEMENTED', isError: true });
});
