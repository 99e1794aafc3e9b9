import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PageRates } from '../../protocol/messages/page-messages.ts';
import type * as Button from '../button/pay-button.ts';
import type * as Parts from '../page/parts.ts';
import { walletError } from '../wallet/testing-relay.ts';
import type { RawOptions } from '../options/plain.ts';
import type { Wallet } from '../wallet/wallet.ts';

let parts: typeof Parts;
let host: HTMLElement;
let root: ShadowRoot;
let createPayButton: typeof Button.createPayButton;
const load = vi.fn<(name: string) => Promise<unknown>>();
const pay = vi.fn<() => Promise<never>>();
const find = (selector: string) => root.querySelector<HTMLElement>(selector);
const label = () => find('.label')!.textContent;

beforeEach(async () => {
  vi.resetModules();
  load.mockReset().mockReturnValue(new Promise(() => {}));
  pay.mockReset().mockReturnValue(new Promise(() => {}));
  parts = await import('../page/parts.ts');
  ({ createPayButton } = await import('../button/pay-button.ts'));
  parts.setPartLoader(load, ['help', 'phone']);
  host = document.createElement('div');
  root = host.attachShadow({ mode: 'open' });
  document.body.replaceChildren(host);
});
afterEach(() => void vi.restoreAllMocks());

const ADDRESS = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
const TYPO = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFc';
const RATES: PageRates = {
  currency: 'EUR',
  prices: { USD: '50', EUR: '46', BSV: '1' },
  feeRate: { satoshis: 1, bytes: 10 },
  time: 0,
};

function button(presence: string, given: RawOptions = {}, rates?: PageRates) {
  const wallet = {
    watch: (watcher: (presence: string) => void) => (watcher(presence), () => {}),
    network: () => undefined,
    request: () => ({}),
    rates: () => (rates ? Promise.resolve(rates) : Promise.reject(walletError('rate-unavailable'))),
    pay,
  } as unknown as Wallet;
  return createPayButton(
    host,
    root,
    { to: 'ada@example.com', amount: '1', ...given },
    { wallet: () => wallet, serviceUrl: 'https://pay.example/' },
  );
}
const swipe = () => find('[role=slider]')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
const provide = async () => {
  const { HELP_PART } = await import('./help-part.ts');
  parts.provide('help', HELP_PART);
};

test('a missing wallet is reported immediately, and links to one appear once the part is loaded', async () => {
  button('absent');
  expect([host.dataset.state, label(), find('a')]).toEqual(['no-wallet', 'No wallet found', null]);
  expect(load).toHaveBeenCalledExactlyOnceWith('help');
  await provide();
  expect(label()).toBe('Get the wallet');
  expect(find('a')!.getAttribute('href')).toBe('https://pay.example/wallet');
});

describe('a visitor who followed the link to a wallet', () => {
  const isShown = (state: string) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state as never);
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const follow = (event: string) =>
    find('a')!.dispatchEvent(
      new MouseEvent(event, { bubbles: true, cancelable: true, button: event === 'click' ? 0 : 1 }),
    );

  test.each(['click', 'auxclick'])('the link becomes a reload once the page is visible again (%s)', async (event) => {
    await provide();
    button('absent');
    find('a')!.removeAttribute('href'); // Prevents navigation.
    follow(event);
    isShown('hidden');
    expect(label()).toBe('Get the wallet');
    isShown('visible');
    expect([host.dataset.state, label()]).toEqual(['no-wallet', 'Reload this page']);
    expect(find('a')!.getAttribute('aria-label')).toMatch(/^Reload this page\. /);
    const reload = vi.spyOn(location, 'reload').mockReturnValue();
    find('a')!.click();
    expect(reload).toHaveBeenCalledOnce();
  });

  test('the link stays for a visitor who only saw another tab', async () => {
    await provide();
    button('absent');
    isShown('hidden');
    isShown('visible');
    expect(label()).toBe('Get the wallet');
  });
});

test('an address can also be paid by phone', async () => {
  await provide();
  button('absent', { to: ADDRESS });
  find('.phone')!.click();
  expect(load).toHaveBeenLastCalledWith('phone');
});

describe('an address', () => {
  test.each([{}, { devMode: true }])(
    'an address can be paid before and after it has been checked: %j',
    async (more) => {
      button('present', { to: ADDRESS, ...more });
      expect(host.dataset.state).toBe('ready');
      expect(load).toHaveBeenCalledExactlyOnceWith('help');
      await provide();
      expect(host.dataset.state).toBe('ready');
    },
  );

  test('an address with a typing error that is swiped before the check is rejected by the wallet', async () => {
    const { OPTIONS_PART } = await import('../options/options-part.ts');
    const error = vi.spyOn(console, 'error').mockReturnValue();
    parts.provide('options', OPTIONS_PART);
    let refuse: (reason: Error) => void = () => {};
    pay.mockReturnValue(new Promise((_, reject) => (refuse = reject)));
    button('present', { to: TYPO });
    swipe();
    await provide();
    expect(host.dataset.state).toBe('working');
    refuse(walletError('invalid-recipient'));
    await vi.waitFor(() => expect(host.dataset).toMatchObject({ state: 'failed', reason: 'invalid-recipient' }));
    expect(error).toHaveBeenCalled();
  });

  test.each([{}, { devMode: true }, { disabled: true }])(
    'an address with a typing error fails, which the console explains: %j',
    async (more) => {
      const { OPTIONS_PART } = await import('../options/options-part.ts');
      const error = vi.spyOn(console, 'error').mockReturnValue();
      parts.provide('options', OPTIONS_PART);
      button('present', { to: TYPO, ...more });
      await provide();
      expect(host.dataset).toMatchObject({ state: 'failed', reason: 'invalid-recipient' });
      expect(error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(TYPO), host);
      swipe();
      expect(pay).not.toHaveBeenCalled();
    },
  );

  test('an address is checked only by the wallet if the part can’t be loaded', async () => {
    load.mockRejectedValue(new Error('refused'));
    button('present', { to: TYPO });
    await vi.waitFor(() => expect(parts.isAvailable('help')).toBe(false));
    expect(host.dataset.state).toBe('ready');
  });
});

test('an account can be paid immediately, before the part is loaded', async () => {
  button('present');
  expect(host.dataset.state).toBe('ready');
  await vi.waitFor(() => expect(load).toHaveBeenCalledExactlyOnceWith('help'));
  expect(host.dataset.state).toBe('ready');
});

test('the cost in the payer’s currency appears once the part is loaded, in its reserved space', async () => {
  button('present', {}, RATES);
  expect(host.dataset.state).toBe('ready');
  expect(find('.cost')!.textContent).toBe('\u00a0');
  await vi.waitFor(() => expect(load).toHaveBeenCalledExactlyOnceWith('help'));
  await provide();
  await vi.waitFor(() => expect(find('.cost')!.textContent).toBe('≈ €0.92'));
});

test('a currency that only the wallet knows can be paid once the wallet has responded', async () => {
  button('present', { currency: 'BTC' }, { ...RATES, prices: { ...RATES.prices, BTC: '0.0004' } });
  expect(host.dataset.state).toBe('loading');
  await vi.waitFor(() => expect(host.dataset.state).toBe('ready'));
  await vi.waitFor(() => expect(load).toHaveBeenCalledExactlyOnceWith('help'));
});

test('if a part can’t be loaded, the cost is omitted and the payment stays possible', async () => {
  load.mockRejectedValue(new Error('refused'));
  button('present', {}, RATES);
  await vi.waitFor(() => expect(find('.cost')!.textContent).toBe(''));
  expect(host.dataset.state).toBe('ready');
});

test.each([
  ['wallet-locked', "That didn't work. Swipe again", 'Unlock your wallet, then swipe'],
  ['payment-pending', "Sending… Don't pay again", "Sending… Don't pay again"],
])('the text after %s begins as "%s" and becomes "%s"', async (code, first, then) => {
  pay.mockRejectedValue(walletError(code));
  button('present');
  swipe();
  await vi.waitFor(() => expect(host.dataset.state).toBe('error'));
  expect(label()).toBe(first);
  expect(load).toHaveBeenCalledExactlyOnceWith('help');
  await provide();
  expect(label()).toBe(then);
});
