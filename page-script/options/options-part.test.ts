/** Tests buttons that need the `options` part, before it is loaded and without it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Button from '../button/pay-button.ts';
import type * as Parts from '../page/parts.ts';
import type { Payment } from '../../protocol/payments/payment.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { RawOptions } from './plain.ts';

const PLAIN = { to: 'ada@example.com', amount: '1' };
const SCRIPT = { to: 'OP_DUP', amount: '1' };
let parts: typeof Parts;
let createPayButton: typeof Button.createPayButton;
let host: HTMLElement;
const load = vi.fn<(name: string) => Promise<unknown>>();

beforeEach(async () => {
  vi.resetModules();
  load.mockReset().mockReturnValue(new Promise(() => {}));
  vi.spyOn(console, 'error').mockReturnValue();
  parts = await import('../page/parts.ts');
  ({ createPayButton } = await import('../button/pay-button.ts'));
  parts.setPartLoader(load, ['options']);
  host = document.createElement('div');
  document.body.replaceChildren(host);
});
afterEach(() => void vi.restoreAllMocks());

function button(given: RawOptions, more: Partial<Wallet> = {}) {
  const wallet = {
    watch: (watcher: (presence: string) => void) => (watcher('absent'), () => {}),
    network: () => undefined,
    ...more,
  } as unknown as Wallet;
  return createPayButton(host, host.attachShadow({ mode: 'open' }), given, { wallet: () => wallet, serviceUrl: null });
}
const provide = async () => {
  const { OPTIONS_PART } = await import('./options-part.ts');
  parts.provide('options', OPTIONS_PART);
};

test('an ordinary button loads nothing', () => {
  button(PLAIN);
  expect(host.dataset.state).toBe('no-wallet');
  expect(load).not.toHaveBeenCalled();
});

test.each([
  [SCRIPT, { state: 'no-wallet' }],
  [
    { to: 'nobody', amount: '1' },
    { state: 'failed', reason: 'invalid-recipient' },
  ],
])('%j stays in state loading until the part has parsed it', async (given, then) => {
  button(given);
  expect(host.dataset).toMatchObject({ state: 'loading' });
  expect(host.shadowRoot!.querySelector('[role=slider]')!.getAttribute('aria-label')).toBe('Looking for your wallet…');
  expect(load).toHaveBeenCalledExactlyOnceWith('options');
  await provide();
  expect(host.dataset).toMatchObject(then);
});

test('an update by the page replaces options that the part has not parsed yet', async () => {
  const it = button(SCRIPT);
  it.replace(PLAIN);
  expect(host.dataset.state).toBe('no-wallet');
  it.replace({ ...PLAIN, amount: 'x' });
  expect(host.dataset.state).toBe('loading');
  await provide();
  expect(host.dataset).toMatchObject({ state: 'failed', reason: 'invalid-amount' });
});

test('a paid button stays paid while the part parses its new options, unless they describe a different payment', async () => {
  const paid = vi.fn<Wallet['pay']>(async () => ({ payment: { id: 'p' } as Payment, cryptoOperations: [] }));
  const it = button(PLAIN, {
    watch: (watcher) => (watcher('present'), () => {}),
    rates: () => Promise.reject(new Error('none')),
    request: (options) => ({ options, service: 'https://pay.example' }),
    ask: vi.fn(),
    pay: paid,
  });
  const swipe = () =>
    host.shadowRoot!.querySelector('[role=slider]')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
  await vi.waitFor(() => expect(host.dataset.state).toBe('ready'));
  swipe();
  await vi.waitFor(() => expect(host.dataset.state).toBe('done'));
  // The same payment, as `outputs` with one element, which only the `options` part can read.
  it.replace({ outputs: [{ ...PLAIN, currency: 'USD' }] });
  expect(load).toHaveBeenCalledExactlyOnceWith('options');
  expect(host.dataset.state).toBe('done');
  swipe();
  await provide();
  expect(host.dataset.state).toBe('done');
  expect(paid).toHaveBeenCalledOnce();
  it.replace(SCRIPT);
  expect(host.dataset.state).toBe('ready');
});

test('the page’s author is notified which part can’t be loaded', async () => {
  load.mockRejectedValue(new Error('refused'));
  button(SCRIPT);
  await vi.waitFor(() => expect(host.dataset).toMatchObject({ state: 'failed', reason: 'missing-part' }));
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining('button.options.js'), host);
});
