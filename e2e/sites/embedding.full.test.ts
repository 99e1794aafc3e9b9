/** Runs the CSP headers and HTML snippets of the embedding documents, verbatim, in a real browser. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import type { ButtonManifest } from '../../server/web/button-build.ts';
import { PARTS } from '../../server/web/gallery/reference.ts';
import { launchPlain } from '../../tooling/drive/browser.ts';
import { ADDRESS } from '../drive/scene.ts';
import { startService, type Service } from '../../tooling/drive/service.ts';
import { buttonIn } from '../../tooling/drive/wallet.ts';

const DOCUMENT = ['embedding', 'guides/content-security-policy', 'guides/frameworks']
  .map((name) => readFileSync(`docs/${name}.md`, 'utf8'))
  .join('\n');

let service: Service;
let manifest: ButtonManifest;
let browser: Browser;
let site: Server;
let headers: Record<string, string> = {};
let body = '';

beforeAll(async () => {
  service = await startService();
  manifest = (await (await fetch(`${service.url}/button.json`)).json()) as ButtonManifest;
  browser = await launchPlain();
  site = createServer((request, response) => {
    if (request.url !== '/') response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(body);
  });
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  await browser?.close();
  site?.closeAllConnections();
  await new Promise((closed) => site.close(closed));
  await service.stop();
});
afterEach(async () => {
  for (const page of await browser.pages()) await page.close();
});

/**
 * Returns the first code block of a language after the given text in the document, adapted to this service and build.
 */
function block(kind: 'html' | 'http' | 'css', after: string): string {
  const from = DOCUMENT.indexOf(after);
  const [, text] = new RegExp(`\`\`\`${kind}\\n([^]*?)\\n\`\`\``).exec(DOCUMENT.slice(from)) ?? [];
  if (from < 0 || text === undefined) throw new Error(`The documents have no ${kind} after "${after}"`);
  // The script's parts, in the order in which the document includes them.
  const parts = ['help', 'de'].values();
  return text
    .replaceAll('https://pay.example', service.url)
    .replaceAll('1.2.0-0a1b2c3d', manifest.version)
    .replaceAll('sha384-…', manifest.integrity)
    .replaceAll('sha256-…', () => manifest.parts[parts.next().value ?? '']?.integrity ?? '');
}

const policy = (after: string) => ({
  'Content-Security-Policy': block('http', after).replace(/^Content-Security-Policy: /, ''),
});

/** Opens a German page with a demo button, and waits until it has loaded. @returns the page and its errors */
async function open(
  script: string,
  given: Record<string, string> = {},
  button = '',
): Promise<{ page: Page; complaints: string[] }> {
  headers = given;
  body = `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">${script}</head>
    <body><p>Before</p><div class="service-button" data-dev-mode="true" ${button}></div><p>After</p></body></html>`;
  const page = await browser.newPage();
  const complaints: string[] = [];
  // With an empty icon, the browser doesn't request one. A policy that forbids images reports the empty icon as a
  // violation.
  page.on(
    'console',
    (message) =>
      void (
        /error|warn/.test(message.type()) &&
        !message.text().includes("'data:,'") &&
        complaints.push(message.text())
      ),
  );
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  return { page, complaints };
}

async function openReady(...given: Parameters<typeof open>): ReturnType<typeof open> {
  const opened = await open(...given);
  await buttonIn(opened.page, 'ready');
  return opened;
}

const state = (page: Page) => page.$eval('.service-button', (host) => host.getAttribute('data-state'));

const label = (page: Page) =>
  page.$eval('.service-button', (host) => host.shadowRoot?.querySelector('[part=label]')?.textContent ?? '');
const inGerman = (page: Page) =>
  page.waitForFunction(() => {
    const text =
      document.querySelector('.service-button')?.shadowRoot?.querySelector('[part=label]')?.textContent ?? '';
    return text !== '' && text !== 'Swipe to pay';
  });

test('a plain script element loads the page’s language', async () => {
  const { page, complaints } = await openReady(block('html', '## Current version'));
  await inGerman(page);
  expect(complaints).toEqual([]);
});

test('the browser accepts the hashes of a pinned version and a part', async () => {
  const { page, complaints } = await openReady(block('html', '## Pinned version'));
  await inGerman(page);
  expect(complaints).toEqual([]);
});

test('a pinned script loads only pinned parts', async () => {
  const [script = ''] = block('html', '## Pinned version').split('\n<script');
  const { page } = await openReady(script);
  expect(await label(page)).toBe('Swipe to pay');
  expect(await page.$$eval('script', (scripts) => scripts.length)).toBe(1);
});

test('the browser rejects bytes other than the pinned ones', async () => {
  const wrong = block('html', '## Pinned version').replace(manifest.integrity, `sha384-${'A'.repeat(64)}`);
  const { page, complaints } = await open(wrong);
  expect(await state(page)).toBeNull();
  expect(complaints.join()).toContain('integrity');
});

test.each(['by its address', 'by a nonce', 'by its hash'])(
  'a strict policy that allows the script %s lets the button and its part run',
  async (way) => {
    const script =
      way === 'by a nonce'
        ? block('html', `allow the script ${way}`)
        : way === 'by its hash'
          ? block('html', '## Pinned version')
          : block('html', '## Current version');
    const { page, complaints } = await openReady(script, policy(`allow the script ${way}`));
    await inGerman(page);
    expect(complaints).toEqual([]);
  },
);

test('a policy without the script blocks it', async () => {
  const { page } = await open(block('html', '## Current version'), {
    'Content-Security-Policy': "default-src 'none'; script-src 'nonce-another'",
  });
  expect(await state(page)).toBeNull();
});

test('parts are loaded through the Trusted Types policies that the page lists', async () => {
  const { page, complaints } = await openReady(block('html', '## Current version'), policy('## Trusted Types'));
  await inGerman(page);
  expect(complaints).toEqual([]);
});

test.each([
  '',
  'class="service-button compact"',
  'class="service-button full"',
  'data-editable="true"',
  'class="service-button compact" data-editable="true"',
])('the layout doesn’t shift, with either snippet (%s)', async (attributes) => {
  const ways = [
    `<script src="${service.url}/button.js"></script>`,
    `<style>${block('css', '## No layout shift')}</style>${block('html', '## Current version')}`,
  ];
  for (const head of ways) {
    headers = {};
    const { page } = await openReady(head, {}, attributes);
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('p, .service-button')].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return { x, y, width, height };
        }),
      );
    const drawn = await places();
    // Adds an element that isn't a button yet. Only the page's and the script's CSS rules apply to it.
    await page.evaluate(() => {
      const host = document.querySelector<HTMLElement>('.service-button');
      const before = host?.cloneNode() as HTMLElement;
      window.serviceButton?.observe(false);
      delete before.dataset.state;
      host?.replaceWith(before);
    });
    expect(await places()).toEqual(drawn);
    await page.close();
  }
});

test('a page that is not observed is scanned on request', async () => {
  const { page } = await openReady(block('html', '## Shadow roots and manual control'));
  const states = await page.evaluate(async () => {
    const added = document.createElement('div');
    added.className = 'service-button';
    added.dataset.devMode = 'true';
    document.body.append(added);
    await new Promise((passed) => requestAnimationFrame(() => requestAnimationFrame(passed)));
    const before = added.dataset.state ?? 'nothing yet';
    window.serviceButton?.scan();
    return [before, added.dataset.state];
  });
  expect(states).toEqual(['nothing yet', 'ready']);
});

test('the gallery lists exactly the existing parts', async () => {
  const parts = (page: Page) =>
    page.$eval('.service-button', (host) =>
      [...(host.shadowRoot?.querySelectorAll('[part]') ?? [])].map((element) => element.getAttribute('part') ?? ''),
    );
  const { page: editable } = await openReady(block('html', '## Current version'), {}, 'data-editable="true"');
  const found = await parts(editable);

  const { page: tip } = await openReady(
    block('html', '## Current version'),
    {},
    `data-to="${ADDRESS}" data-presets="1 5"`,
  );
  found.push(...(await parts(tip)));

  const { page: pressed } = await openReady(block('html', '## Current version'));
  await (await pressed.waitForSelector('.service-button >>> [part=track]', { visible: true }))?.click();
  await pressed.waitForSelector('.service-button >>> [part=pay]', { visible: true });
  found.push(...(await parts(pressed)));

  const { page } = await open(block('html', '## Current version'));
  await page.$eval(
    '.service-button',
    (host, to) =>
      Object.assign((host as HTMLElement).dataset, { to, amount: '0.10', currency: 'USD', devMode: 'false' }),
    ADDRESS,
  );
  await buttonIn(page, 'no-wallet');
  // `visible` makes Puppeteer check at every animation frame, because changes in a shadow root trigger no other check.
  await (await page.waitForSelector('.service-button >>> [part=phone]', { visible: true }))?.click();
  await page.waitForSelector('.service-button >>> [part=panel]', { visible: true });
  found.push(...(await parts(page)));

  expect([...new Set(found)].toSorted()).toEqual(PARTS.toSorted());
});
