// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHANNEL } from '../../../../protocol/messages/wire.ts';
import { SITE_TEXTS } from '../../../page/texts.ts';

const SCRIPT = ['ask-wallet.js', 'mint.js']
  .map((name) => readFileSync(path.join(import.meta.dirname, '../../assets', name), 'utf8'))
  .join('\n');
const ASSET = '5b0f8f52-6c1e-4f7e-9d55-0a2f6f1c9a10';
const { mint: t, one } = SITE_TEXTS.en.assets;

interface WalletRequest {
  id: string;
  method: string;
  params: object;
}
let asked: WalletRequest[];
let wallet: (request: WalletRequest) => object | null;
let hear: (event: object) => void;
const location = { origin: 'https://pay.example', reload: vi.fn() };
const page = {
  addEventListener: (_type: string, listener: (event: object) => void) => {
    hear = listener;
  },
  postMessage(message: WalletRequest) {
    asked.push(message);
    const answer = wallet(message);
    if (answer)
      queueMicrotask(() =>
        hear({
          source: page,
          origin: location.origin,
          data: { channel: CHANNEL, to: 'page', id: message.id, ...answer },
        }),
      );
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  location.reload.mockReset();
});
afterEach(() => void vi.useRealTimers());

/** Opens the page with this wallet, and clicks the button. */
async function press(given: typeof wallet): Promise<HTMLButtonElement> {
  wallet = given;
  document.body.innerHTML = `<section><button data-asset-id="${ASSET}" data-mint>${one.mint}</button><div data-mint-message></div></section>`;
  document.querySelector('section')?.setAttribute('data-mint-texts', JSON.stringify(t));
  // oxlint-disable-next-line no-new-func -- a plain script; its window and location are the test's
  new Function('window', 'location', SCRIPT)(page, location);
  const button = document.querySelector('button') as HTMLButtonElement;
  button.click();
  await vi.advanceTimersByTimeAsync(0);
  return button;
}
const said = () => document.querySelector('[data-mint-message]')?.textContent;
const answers = (mint: object | null) => (request: WalletRequest) =>
  request.method === 'wallet/hello' ? { result: {} } : mint;

test('sends only the asset’s ID, waits for the wallet, and reloads the page', async () => {
  const button = await press(answers(null));
  expect(asked.map(({ method, params }) => [method, params])).toEqual([
    ['wallet/hello', {}],
    ['asset/mint', { assetId: ASSET }],
  ]);
  expect([button.textContent, button.getAttribute('aria-busy')]).toEqual([t.working, 'true']);
  // Clicking again while a request is pending sends nothing.
  button.click();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(2);
  const { id } = asked[1] as WalletRequest;
  hear({ source: page, origin: location.origin, data: { channel: CHANNEL, to: 'page', id, result: {} } });
  await vi.advanceTimersByTimeAsync(0);
  expect(location.reload).toHaveBeenCalledOnce();
});

test.each([
  ['unsupported-method', t.outdated],
  ['refused', t.refused],
  ['approval-closed', t.refused],
  ['insufficient-funds', t.failed],
])('shows an error after %s, and can then be used again', async (code, text) => {
  const button = await press(answers({ error: { code, message: '<b>x</b>' } }));
  expect(said()).toBe(text);
  expect([button.textContent, button.hasAttribute('aria-busy')]).toEqual([one.mint, false]);
  expect(location.reload).not.toHaveBeenCalled();
});

test('reports a missing wallet after a delay, but not if a wallet responds with an error', async () => {
  await press(() => null);
  expect(said()).toBe('');
  await vi.advanceTimersByTimeAsync(600);
  expect(said()).toBe(t.noWallet);
  await press(({ method }) =>
    method === 'wallet/hello' ? { error: { code: 'wallet-not-set-up', message: '' } } : null,
  );
  expect(asked.at(-1)?.method).toBe('asset/mint');
});
