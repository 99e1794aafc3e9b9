/** What a button does before the part `help` is there, and without it. */
import { beforeEach, expect, test, vi } from 'vitest';
import type * as Button from '../pay-button.ts';
import type * as Parts from '../parts.ts';
import { walletError } from '../testing-errors.ts';
import type { PaymentError } from '../payment-error.ts';
import type { Wallet } from '../wallet.ts';

let parts: typeof Parts;
let host: HTMLElement;
let root: ShadowRoot;
let refuse: (error: PaymentError) => void;
let createPayButton: typeof Button.createPayButton;
const load = vi.fn<(name: string) => Promise<unknown>>();
const find = (selector: string) => root.querySelector<HTMLElement>(selector);
const label = () => find('.label')!.textContent;

beforeEach(async () => {
  vi.resetModules();
  load.mockReset().mockReturnValue(new Promise(() => {}));
  parts = await import('../parts.ts');
  ({ createPayButton } = await import('../pay-button.ts'));
  parts.setPartLoader(load, ['help', 'phone']);
  host = document.createElement('div');
  root = host.attachShadow({ mode: 'open' });
  document.body.replaceChildren(host);
});

function button(presence: string) {
  const wallet = {
    watch: (watcher: (presence: string) => void) => (watcher(presence), () => {}),
    network: () => undefined,
    request: () => ({}),
    rates: () => Promise.reject(walletError('rate-unavailable')),
    pay: () => new Promise((_, reject) => (refuse = reject)),
  } as unknown as Wallet;
  return createPayButton(
    host,
    root,
    { to: 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', amount: '1' },
    { wallet: () => wallet, serviceUrl: 'https://pay.example/' },
  );
}
const provide = async () => {
  const { HELP_PART } = await import('./help-part.ts');
  parts.provide('help', HELP_PART);
};

test('without a wallet it says so at once, and gives the ways to one and to the phone once they are there', async () => {
  button('absent');
  expect([host.dataset.state, label(), find('a')]).toEqual(['no-wallet', 'No wallet found', null]);
  expect(load).toHaveBeenCalledExactlyOnceWith('help');
  await provide();
  expect(label()).toBe('Get the wallet');
  expect(find('a')!.getAttribute('href')).toBe('https://pay.example/wallet');
  find('.phone')!.click();
  expect(load).toHaveBeenLastCalledWith('phone');
});

test('with a wallet nothing is loaded until a payment fails', () => {
  button('present');
  expect(host.dataset.state).toBe('ready');
  expect(load).not.toHaveBeenCalled();
});

test.each([
  ['wallet-locked', "That didn't work. Swipe again", 'Unlock your wallet, then swipe'],
  ['payment-pending', "Sending… Don't pay again", "Sending… Don't pay again"],
])('after %s it says "%s", then "%s"', async (code, first, then) => {
  button('present');
  find('[role=slider]')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
  refuse(walletError(code));
  await vi.waitFor(() => expect(host.dataset.state).toBe('error'));
  expect(label()).toBe(first);
  expect(load).toHaveBeenCalledExactlyOnceWith('help');
  await provide();
  expect(label()).toBe(then);
});
