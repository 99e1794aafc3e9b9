/**
 * Takes screenshots of the button in each state for docs/pictures/button/, in light and dark mode. Uses the real button
 * in a real Chromium, with a page that simulates the wallet.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type Page } from 'puppeteer-core';
import { buttonIn, swipe } from '../tooling/drive/wallet.ts';
import type { PageMethod, PageResults } from '../protocol/messages/page-messages.ts';
import type { WireError } from '../protocol/errors/service-error.ts';
import type { Payment } from '../protocol/payments/payment.ts';
import { metadataOf } from '../protocol/payments/metadata.ts';
import { CHANNEL } from '../protocol/messages/wire.ts';
import { PICTURE_NAMES, PICTURE_SCALE, PICTURES_FOLDER, type PictureName } from '../server/web/gallery/pictures.ts';
import { buildButton } from './build/build-button.ts';
import { needBrowser } from '../tooling/system.ts';

/** The fake wallet's response to each method. Other methods get no response. */
type Answers = { [M in PageMethod]?: { result: PageResults[M] } | { error: WireError } };

interface Scene {
  /** The host's `data-state` when the screenshot is taken. */
  state: string;
  answers: Answers;
  /** Additional attributes of the button. A null value removes the attribute. */
  attributes?: Record<string, string | null>;
  language?: string;
  direction?: 'ltr' | 'rtl';
  /** Size of the frame around the button, in CSS pixels. */
  width?: number;
  /** True if the button is swiped as soon as it is ready. */
  swiped?: true;
  /** True to disable timers so that a temporary state remains. */
  timeless?: true;
  /** True to take the screenshot after the label has changed. */
  changed?: true;
}

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--hide-scrollbars',
];

const TO = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
const USUAL = { 'data-to': TO, 'data-amount': '0.10', 'data-currency': 'USD', 'data-label': 'Read the article' };

const PAYMENT: Payment = {
  id: 'a-payment',
  ...metadataOf({}),
  status: 'RECEIVED',
  txid: '0'.repeat(64),
  normalizedTxid: '0'.repeat(64),
  amount: '0.10',
  currency: 'USD',
  satoshis: '200000',
  cryptoOperations: [],
  userId: null,
  senderPaymail: null,
  amountUsd: '0.10',
  paymentOutputs: [],
  rawtx: '',
  outputs: [
    {
      type: 'ADDRESS',
      to: TO,
      paymail: null,
      userId: null,
      address: TO,
      script: null,
      amount: '0.10',
      currency: 'USD',
      satoshis: '200000',
    },
  ],
};

const WALLET: Answers = {
  'wallet/hello': { result: { version: '1.0.0', network: 'devnet' } },
  'rates/read': {
    result: { currency: 'USD', prices: { USD: '50' }, feeRate: { satoshis: 100, bytes: 1000 }, time: Date.now() },
  },
};
const PAYS: Answers = { ...WALLET, 'payment/request': { result: { payment: PAYMENT, cryptoOperations: [] } } };

const SCENES: Record<PictureName, Scene> = {
  loading: { state: 'loading', answers: {}, timeless: true },
  'no-wallet': { state: 'no-wallet', answers: {} },
  ready: { state: 'ready', answers: WALLET },
  working: { state: 'working', answers: WALLET, swiped: true },
  done: { state: 'done', answers: PAYS, swiped: true, timeless: true },
  receipt: { state: 'done', answers: PAYS, swiped: true, changed: true },
  error: {
    state: 'error',
    answers: {
      ...WALLET,
      'payment/request': {
        error: { code: 'insufficient-funds', message: 'There isn’t enough money in your wallet. No money has moved.' },
      },
    },
    swiped: true,
  },
  disabled: { state: 'disabled', answers: WALLET, attributes: { 'data-disabled': 'true' } },
  failed: { state: 'failed', answers: WALLET, attributes: { 'data-amount': 'ten' } },
  compact: { state: 'ready', answers: WALLET, attributes: { class: 'service-button compact' } },
  editable: {
    state: 'ready',
    answers: WALLET,
    attributes: { 'data-editable': 'true', 'data-type': 'tip', 'data-label': null },
  },
  rtl: { state: 'ready', answers: WALLET, attributes: { 'data-label': null }, language: 'ar', direction: 'rtl' },
  full: { state: 'ready', answers: WALLET, attributes: { class: 'service-button full' }, width: 632 },
};

function document({ answers, attributes, language = 'en', direction = 'ltr', width = 300, timeless }: Scene): string {
  const given = Object.entries({ class: 'service-button', ...USUAL, ...attributes }).filter(
    ([, value]) => value !== null,
  );
  return `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><title>A picture</title>
    <link rel="stylesheet" href="/tokens.css">
    <style>body { margin: 0; background: var(--surface); } #frame { width: ${width}px; padding: 16px; }</style>
    <script>
      ${timeless ? 'window.setTimeout = () => 0;' : ''}
      const answers = ${JSON.stringify(answers)};
      addEventListener('message', ({ data }) => {
        if (data?.channel !== '${CHANNEL}' || data.to !== 'wallet' || !answers[data.method]) return;
        postMessage({ channel: data.channel, to: 'page', id: data.id, ...answers[data.method] });
      });
    </script></head>
    <body><div id="frame"><div ${given.map(([name, value]) => `${name}="${value}"`).join(' ')}></div></div>
    <script src="/button.js"></script></body></html>`;
}

async function startSite(build: string): Promise<{ origin: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const name = (request.url ?? '/').slice(1);
    const scene = SCENES[name as PictureName];
    const file = name === 'tokens.css' ? 'look/tokens.css' : join(build, name);
    const body = scene
      ? document(scene)
      : /^(?:tokens\.css|button[a-z.-]*\.js)$/.test(name) && (await readFile(file).catch(() => null));
    const type = scene ? 'text/html' : name.endsWith('.css') ? 'text/css' : 'text/javascript';
    if (body) response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(body);
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function take(page: Page, origin: string, name: PictureName, theme: 'light' | 'dark'): Promise<void> {
  const scene = SCENES[name];
  // Disables animations so that timing doesn't matter.
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.mouse.move(0, 0);
  await page.goto(`${origin}/${name}`, { waitUntil: 'networkidle0' });
  if (scene.swiped) await swipe(page, await buttonIn(page, 'ready'));
  const host = await buttonIn(page, scene.state);
  await page.mouse.move(0, 0);
  if (scene.changed) {
    const label = (element: Element) => element.shadowRoot?.querySelector('[part~=label]')?.textContent ?? '';
    const before = await host.evaluate(label);
    await page.waitForFunction(
      (element, text) => element.shadowRoot?.querySelector('[part~=label]')?.textContent !== text,
      {},
      host,
      before,
    );
  }
  const frame = await page.$('#frame');
  await frame?.screenshot({ path: join(PICTURES_FOLDER, `${name}-${theme}.png`) });
}

const executablePath = needBrowser();
const build = await mkdtemp(join(tmpdir(), 'button-pictures-'));
await buildButton(build);
await mkdir(PICTURES_FOLDER, { recursive: true });
const { origin, server } = await startSite(build);
const browser = await launch({
  executablePath,
  headless: true,
  pipe: true,
  args: ARGS,
  defaultViewport: { width: 800, height: 700, deviceScaleFactor: PICTURE_SCALE },
});
try {
  const page = await browser.newPage();
  for (const name of PICTURE_NAMES) {
    for (const theme of ['light', 'dark'] as const) await take(page, origin, name, theme);
    console.log(`docs/pictures/button/${name}-light.png, ${name}-dark.png`);
  }
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
  await rm(build, { recursive: true });
}
