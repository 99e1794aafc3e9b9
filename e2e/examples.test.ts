/** The examples as a visitor meets them: real pages, real wallet, and the package as it is published. */
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { build, createServer, preview, type PreviewServer, type ViteDevServer } from 'vite';
import { afterEach, expect, test } from 'vitest';
import { makeConsumer, type Consumer } from '../page-script/npm/testing-consumer.ts';
import type { Payment } from '../protocol/payment.ts';
import { registerPerson } from './drive/person.ts';
import { freePort } from '../scripts/free-port.ts';
import { setScene, type Scene } from './drive/scene.ts';
import { onStage } from './drive/stage.ts';
import { approve, ask, pressWhenReady, swipe } from './drive/wallet.ts';

/** Where the examples expect the service. */
const USUAL_SERVICE = 'http://localhost:3000';

let scene: Scene;
let consumer: Consumer;
const servers: (ViteDevServer | PreviewServer)[] = [];
const pages: Page[] = [];

onStage(
  async () => {
    scene = await setScene({ satoshis: 10_000_000 });
    consumer = await makeConsumer();
  },
  async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await scene?.end();
    await consumer?.remove();
  },
);
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
});

/** Serves an example as its line in the README does. @returns its address */
async function serve(name: string, env: Record<string, string> = {}, givenPort?: number): Promise<string> {
  const port = givenPort ?? (await freePort());
  const given = { SERVICE_URL: scene.service.url, ...env };
  // Read when the example's own configuration is loaded.
  Object.assign(process.env, given);
  const server = await createServer({
    root: `examples/${name}`,
    logLevel: 'error',
    // Nothing that reloads a page in the middle of a test: no watching, and no bundles of packages, which vite makes
    // anew for each example, in a folder that all of them share, and again for what it has overlooked when it is busy.
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port, strictPort: true, watch: null, hmr: false },
  });
  for (const variable of Object.keys(given)) delete process.env[variable];
  servers.push(server);
  await server.listen();
  return `http://127.0.0.1:${port}/`;
}

/** Opens a page for which this scene's service is at the usual address. */
async function open(url: string): Promise<Page> {
  const page = await scene.wallet.browser.newPage();
  pages.push(page);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const elsewhere = request.url().startsWith(`${USUAL_SERVICE}/`);
    void request.continue(elsewhere ? { url: request.url().replace(USUAL_SERVICE, scene.publicUrl) } : {});
  });
  await page.goto(url);
  return page;
}

/** The button once it is in a state. */
async function inState(page: Page, selector: string, state: string): Promise<ElementHandle<HTMLElement>> {
  return (await page.waitForSelector(`${selector}[data-state=${state}]`)) as ElementHandle<HTMLElement>;
}
const shown = (host: ElementHandle<HTMLElement>, selector: string) =>
  host.evaluate((element, css) => element.shadowRoot?.querySelector(css)?.textContent ?? '', selector);
const slider = async (host: ElementHandle<HTMLElement>) =>
  (await host.evaluateHandle((element) => element.shadowRoot?.querySelector('[role=slider]'))) as ElementHandle;
const text = (page: Page, css: string, wanted: string) =>
  page.waitForFunction(
    (selector, part) => document.querySelector(selector)?.textContent?.includes(part),
    { polling: 'mutation' },
    css,
    wanted,
  );

/** Makes an application as its owner's wallet does, whose webhooks go to this machine. */
async function makeApplication(
  webhookUrl: string,
): Promise<Record<'CLIENT_IDENTIFIER' | 'CLIENT_SECRET' | 'WEBHOOK_SECRET', string>> {
  const { accessToken } = await registerPerson(scene.service.url, 'dunes', 'Dunes');
  const made = await fetch(`${scene.service.url}/api/v2/me/applications`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Dunes', url: 'https://dunes.example', webhookUrl }),
  });
  const { application } = (await made.json()) as {
    application: Record<'clientIdentifier' | 'clientSecret' | 'webhookSecret', string>;
  };
  return {
    CLIENT_IDENTIFIER: application.clientIdentifier,
    CLIENT_SECRET: application.clientSecret,
    WEBHOOK_SECRET: application.webhookSecret,
  };
}

test('shop: a swipe, and its server hands out the print for what the service and the transaction say', async () => {
  const port = await freePort();
  const url = await serve('shop', await makeApplication(`http://127.0.0.1:${port}/webhooks`), port);
  const page = await open(url);
  const host = await inState(page, '.service-button', 'ready');
  const order = await host.evaluate((element) => element.dataset.buttonId ?? '');
  const print = () => fetch(`${url}orders/${order}/print.svg`).then(({ status }) => status);
  expect(await print()).toBe(402);
  const deliver = (id: string) =>
    page.evaluate(
      (given) =>
        (window as unknown as { deliver(payment: object): Promise<void> })
          .deliver({ id: given })
          .then(() => document.querySelector('#order')?.textContent),
      id,
    );
  expect(await deliver('00000000-0000-4000-8000-000000000000')).toContain('knows no such payment');
  await swipe(page, host);
  await approve(scene.wallet);
  await inState(page, '.service-button', 'done');
  await text(page, '#order', 'dunes-at-six.svg');
  expect(await print()).toBe(200);

  // A second visitor, whose page is gone before it can report the payment: the webhook does.
  const second = await open(url);
  const button = await inState(second, '.service-button', 'ready');
  const theirs = await button.evaluate((element) => element.dataset.buttonId ?? '');
  await second.evaluate(() => Object.assign(window, { deliver() {} }));
  await swipe(second, button);
  await approve(scene.wallet);
  await inState(second, '.service-button', 'done');
  await expect.poll(() => fetch(`${url}orders/${theirs}/print.svg`).then(({ status }) => status)).toBe(200);
});

test('custom element: an attribute that changes, an event that reports the payment', async () => {
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

/** A page that takes its button away, for the test below. */
const TOGGLE = `
  import { StrictMode, useState } from 'react';
  import { createRoot } from 'react-dom/client';
  import ServiceButton from 'service-button/react'; // as pages for the original import it
  function Page() {
    const [here, setHere] = useState(true);
    return <><button type="button" onClick={() => setHere(!here)}>Toggle</button>{here && <ServiceButton to="1" amount="1" currency="USD" />}</>;
  }
  createRoot(document.getElementById('root')!).render(<StrictMode><Page /></StrictMode>);
`;

/** Serves the React example, built by a project that has the published package. */
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

test('React: changes in place while it is ready, pays, calls back; unmounting takes it away', async () => {
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

test('imb: a paragraph paid by hand, then an allowance, then paragraphs without a question', async () => {
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

test('letters: signed and sealed, opened and checked, each by a swipe, and nothing is paid', async () => {
  const page = await open(await serve('letters'));
  const before = (await scene.paid()).length;
  const swiped = async (id: string) => {
    await scene.wallet.noApproval(); // those of before close by themselves
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
  // All of it is in the wallet's activity, but not what was decrypted.
  const { items } = await ask(scene.page, 'activity/list', { limit: 10, search: 'decrypt' });
  expect(items).toMatchObject([{ satoshis: '0', operations: [{ method: 'decrypt', value: null }] }]);
});

test('brc100: ten methods of the wallet interface, by the unchanged client, which finds window.CWI by itself', async () => {
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
  // The other eight methods say so, in the interface's own form.
  const refused = await page.evaluate(() =>
    (window as any).CWI.listCertificates({ certifiers: [], types: [] }).catch((error: object) => ({ ...error })),
  );
  expect(refused).toMatchObject({ code: 2, name: 'WERR_NOT_IMPLEMENTED', isError: true });
});
