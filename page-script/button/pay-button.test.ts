import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import type { PageRates } from '../../protocol/messages/page-messages.ts';
import { OFFER_EVENT, SWIPED_EVENT } from '../../protocol/messages/wire.ts';
import type { CryptoResult, Payment, PaymentOptions } from '../../protocol/payments/payment.ts';
import type { RawOptions } from '../options/plain.ts';
import { HELP_PART } from '../help/help-part.ts';
import { attributeOptions } from '../options/read.ts';
import { OPTIONS_PART } from '../options/options-part.ts';
import { provide, type Form, type FormPart, type PhonePart } from '../page/parts.ts';
import type { Item, PageItems } from '../page/page-items.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { walletError } from '../wallet/testing-relay.ts';
import { ENGLISH } from '../text/texts.ts';
import type { PayButton } from '../button-interface.ts';
import { createPayButton } from './pay-button.ts';
import type { Paid, Wallet } from '../wallet/wallet.ts';
import type { Presence } from '../wallet/wallet-presence.ts';

const to = writeAddress(new Uint8Array(20).fill(7), 'devnet');
const GIVEN = { to, amount: '0.10', label: 'Read on' };
const PAYMENT = { id: 'p', amount: '0.10', currency: 'USD' } as Payment;

class HandWallet implements Wallet {
  watchers = new Set<(presence: Presence) => void>();
  asked: {
    resolve(payment: Payment | null, cryptoOperations?: CryptoResult[]): void;
    reject(error: PaymentError): void;
  }[] = [];
  pay = vi.fn(
    () =>
      new Promise<Paid>((resolve, reject) =>
        this.asked.push({
          resolve: (payment, cryptoOperations = []) => resolve({ payment, cryptoOperations }),
          reject,
        }),
      ),
  );
  request = (options: PaymentOptions) => ({ options, service: 'https://pay.example' });
  known: PageRates | null = null;
  rateFault = walletError('rate-unavailable', 'None.');
  rates = vi.fn<Wallet['rates']>(() => (this.known ? Promise.resolve(this.known) : Promise.reject(this.rateFault)));
  onNetwork: string | undefined;
  network = () => this.onNetwork;
  ask = vi.fn();
  begin = vi.fn<Wallet['begin']>();
  outcome = vi.fn<Wallet['outcome']>();
  items?: PageItems;
  presence: Presence;
  constructor(presence: Presence = 'present') {
    this.presence = presence;
  }
  watch(watcher: (presence: Presence) => void) {
    this.watchers.add(watcher);
    watcher(this.presence);
    return () => void this.watchers.delete(watcher);
  }
  say(presence: Presence) {
    for (const watcher of this.watchers) watcher(presence);
  }
}

let host: HTMLElement;
let wallet: HandWallet;
let console_: { error: ReturnType<typeof vi.spyOn>; warn: ReturnType<typeof vi.spyOn> };
const asksForWallet = vi.fn();
const page = window as unknown as Record<string, unknown>;

beforeEach(() => {
  vi.useFakeTimers();
  provide('options', OPTIONS_PART);
  provide('help', HELP_PART);
  host = document.createElement('div');
  document.body.replaceChildren(host);
  wallet = new HandWallet();
  asksForWallet.mockReset();
  console_ = { error: vi.spyOn(console, 'error').mockReturnValue(), warn: vi.spyOn(console, 'warn').mockReturnValue() };
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function button(given: RawOptions, serviceUrl: string | null = 'https://pay.example/', isLost = false): PayButton {
  return createPayButton(host, host.attachShadow({ mode: 'open' }), given, {
    wallet: () => (asksForWallet(), wallet),
    serviceUrl,
    isLost,
  });
}
const find = (selector: string) => host.shadowRoot!.querySelector<HTMLElement>(selector)!;
const slider = () => find('[role=slider]');
const label = () => find('.label').textContent;
const swipe = () => slider().dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
const tick = () => vi.advanceTimersByTimeAsync(0);

test.each(['unknown', 'absent'] as const)(
  'a cached page that was left while its wallet was %s doesn’t offer what has been paid since',
  (presence) => {
    wallet.presence = presence;
    const items: Item[] = [];
    wallet.items = { claim: () => items[0], release: () => undefined } as Partial<PageItems> as PageItems;
    button(GIVEN);
    items.push({ id: 'p', state: 'paid' });
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    wallet.say('present');
    expect(host.dataset.state).toBe('done');
  },
);

describe('states of a button', () => {
  test('loading comes first, then no wallet, then ready', () => {
    wallet.presence = 'unknown';
    button(GIVEN);
    expect(host.dataset.state).toBe('loading');
    wallet.say('absent');
    expect(host.dataset.state).toBe('no-wallet');
    expect(label()).toBe('Get the wallet');
    expect(find('a').getAttribute('href')).toBe('https://pay.example/wallet');
    wallet.say('present');
    expect(host.dataset.state).toBe('ready');
  });

  test('a wallet that disconnects later doesn’t remove the button', () => {
    button(GIVEN);
    wallet.say('absent');
    expect(host.dataset.state).toBe('ready');
  });

  test('a button without a known service shows no dead link', () => {
    wallet.presence = 'absent';
    button(GIVEN, null);
    expect(find('a').hasAttribute('href')).toBe(false);
    expect(label()).toBe('No wallet found');
  });

  test('a page opened as a file shows an explanation, on the button and in the console, instead of offering a wallet', () => {
    createPayButton(host, host.attachShadow({ mode: 'open' }), GIVEN, {
      wallet: () => (asksForWallet(), wallet),
      serviceUrl: 'https://pay.example/',
      isFile: true,
    });
    expect(host.dataset).toMatchObject({ state: 'failed', reason: 'file-page' });
    expect(label()).toBe('Open this page over http');
    expect(find('.box').title).toContain('http://localhost');
    expect(find('a')).toBeNull();
    expect(console_.error.mock.calls[0]![0]).toContain('file-page');
    expect(asksForWallet).not.toHaveBeenCalled();
  });

  test.each([GIVEN, { ...GIVEN, cryptoOperations: [{ name: 'a', method: 'address' }] }])(
    'a script that can’t find its service never offers a payment (%j), and shows how to fix that',
    (given) => {
      button(given, null, true);
      expect(host.dataset).toMatchObject({ state: 'failed', reason: 'unknown-service' });
      expect(console_.error.mock.calls[0]![0]).toMatch(/unknown-service: .*data-service=.*setServiceUrl/);
      expect(asksForWallet).not.toHaveBeenCalled();
    },
  );

  test.each([{ ...GIVEN, devMode: true }, { cryptoOperations: [{ name: 'a', method: 'sign', data: 'x' }] }])(
    'a script that can’t find its service still offers demos and operations without a payment: %j',
    (given) => {
      button(given, null, true);
      expect(host.dataset.state).toBe('ready');
    },
  );

  test('a swipe starts a payment, whose success is shown first, then a receipt', async () => {
    button(GIVEN);
    swipe();
    expect(host.dataset.state).toBe('working');
    expect(wallet.pay).toHaveBeenCalledExactlyOnceWith({
      outputs: [{ to, amount: '0.10', currency: 'USD' }],
      label: 'Read on',
    });
    swipe();
    expect(wallet.pay).toHaveBeenCalledOnce();
    wallet.asked[0]!.resolve(PAYMENT);
    await tick();
    expect(host.dataset.state).toBe('done');
    expect(label()).toBe("It's yours!");
    await vi.advanceTimersByTimeAsync(5000);
    expect(label()).toBe('Paid $0.10');
    expect(slider().getAttribute('aria-valuetext')).toBe('Paid $0.10');
    swipe();
    expect(wallet.pay).toHaveBeenCalledOnce();
  });

  test('the receipt shows the amount that the wallet reports', async () => {
    button(GIVEN);
    swipe();
    wallet.asked[0]!.resolve({ ...PAYMENT, amount: '0.20', currency: 'EUR' });
    await vi.advanceTimersByTimeAsync(5000);
    expect(label()).toBe('Paid €0.20');
  });

  test('the button waits for the user’s decision without a time limit', async () => {
    button(GIVEN);
    swipe();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(host.dataset.state).toBe('working');
  });

  test.each([
    ['refused', 'no', 'Not paid. Swipe to try again', true],
    ['payment-pending', 'yes', "Sending… Don't pay again", true],
    ['network-unavailable', 'no', 'Network is down. Swipe to retry', false],
  ] as const)('the message after "%s" looks alarming only if something failed', async (code, moved, said, isCalm) => {
    button(GIVEN);
    swipe();
    wallet.asked[0]!.reject(Object.assign(walletError(code, 'Why.'), { moved }));
    await tick();
    expect([host.dataset.state, label()]).toEqual(['error', said]);
    expect(find('.box').classList.contains('calm')).toBe(isCalm);
  });

  test('an error explains what to do and allows a retry', async () => {
    button(GIVEN);
    swipe();
    wallet.asked[0]!.reject(walletError('refused', 'You refused the payment. No money has moved.'));
    await tick();
    expect(host.dataset.state).toBe('error');
    expect(label()).toBe('Not paid. Swipe to try again');
    expect(find('.box').title).toBe('You refused the payment. No money has moved.');
    expect(find('[aria-live]').textContent).toContain('You refused the payment.');
    swipe();
    expect(host.dataset.state).toBe('working');
    expect(wallet.pay).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['unsupported-recipient', 1],
    ['refused', 0],
  ])('the console reports %s to the page’s author %d times', async (code, times) => {
    button(GIVEN);
    swipe();
    wallet.asked[0]!.reject(walletError(code, 'Why.'));
    await tick();
    expect(console_.warn).toHaveBeenCalledTimes(times);
  });

  test('[A-18] [R-26] a disabled button is shown and can’t be swiped', () => {
    button({ ...GIVEN, disabled: 'true' });
    expect(host.dataset.state).toBe('disabled');
    expect(slider().getAttribute('aria-disabled')).toBe('true');
    expect(slider().hasAttribute('tabindex')).toBe(false);
    expect(label()).toBe('Read on');
    swipe();
    expect(wallet.pay).not.toHaveBeenCalled();
  });
});

describe('an invalid configuration', () => {
  test('[R-05] [C-07] an invalid configuration fails with a reason and one message, and calls nothing', async () => {
    const onError = vi.fn();
    const onLoad = vi.fn();
    const it = button({ to: 'nobody', amount: '1', onError, onLoad });
    it.update({ onError, onLoad });
    await tick();
    expect(host.dataset).toMatchObject({ state: 'failed', reason: 'invalid-recipient' });
    expect(console_.error).toHaveBeenCalledOnce();
    expect(onError).not.toHaveBeenCalled();
    expect(onLoad).not.toHaveBeenCalled();
  });

  test.each([
    'invalid-recipient',
    'invalid-currency',
    'amount-too-small',
    'data-too-large',
    'forbidden-data',
    'invalid-request',
    'mixed-currencies',
  ])(
    '[C-07] an invalid configuration fails permanently if only the wallet finds it (%s), and calls nothing',
    async (code) => {
      const onError = vi.fn();
      const it = button({ ...GIVEN, onError });
      swipe();
      wallet.asked[0]!.reject(walletError(code, 'Why.'));
      await tick();
      expect(host.dataset).toMatchObject({ state: 'failed', reason: code });
      expect(label()).toBe('Payment not available');
      expect(find('[aria-live]').textContent).toBe(
        "Payment not available. This button isn't set up correctly. No money has moved.",
      );
      expect(console_.error).toHaveBeenCalledExactlyOnceWith(`[service-button] ${code}: Why.`, host);
      it.update({ label: 'Other words, the same payment' });
      swipe();
      expect(host.dataset).toMatchObject({ state: 'failed', reason: code });
      expect([wallet.pay.mock.calls.length, onError.mock.calls.length]).toEqual([1, 0]);
      it.update({ amount: '2' });
      expect(host.dataset.state).toBe('ready');
      expect(host.dataset.reason).toBeUndefined();
    },
  );

  test('[C-07] an invalid configuration fails for an operation that only the wallet rejects', async () => {
    const onError = vi.fn();
    button({ ...GIVEN, onError, cryptoOperations: [{ name: 'a', method: 'sign', data: 'x', valueEncoding: 'hex' }] });
    swipe();
    wallet.asked[0]!.reject(walletError('invalid-operation', 'Why.'));
    await tick();
    expect(host.dataset).toMatchObject({ state: 'failed', reason: 'invalid-crypto-operation' });
    expect(onError).not.toHaveBeenCalled();
  });

  test('[C-07] rejects an address from a different network than the wallet’s before the button is ready', async () => {
    const onError = vi.fn();
    const onLoad = vi.fn();
    wallet.onNetwork = 'mainnet';
    const it = button({ ...GIVEN, onError, onLoad });
    await tick();
    expect(host.dataset).toMatchObject({ state: 'failed', reason: 'invalid-recipient' });
    expect([onError.mock.calls, onLoad.mock.calls]).toEqual([[], []]);
    it.update({ to: writeAddress(new Uint8Array(20).fill(7), 'mainnet') });
    expect(host.dataset.state).toBe('ready');
    it.update({ to: 'ann@pay.example' });
    expect(host.dataset.state).toBe('ready');
  });

  test('[C-07] a currency that neither browser nor wallet knows is rejected before the button is shown', async () => {
    const states: unknown[] = [];
    const seen = new MutationObserver(() => states.push(host.dataset.state));
    seen.observe(host, { attributeFilter: ['data-state'] });
    wallet.rateFault = walletError('invalid-currency', 'None.');
    button({ ...GIVEN, currency: 'QQQQ' });
    await tick();
    expect(host.dataset).toMatchObject({ state: 'failed', reason: 'invalid-currency' });
    expect(states).not.toContain('ready');
    seen.disconnect();
  });

  test('a currency that only the wallet knows is shown once it has responded', async () => {
    wallet.known = { currency: 'USD', prices: { USD: '50', USDT: '50' }, feeRate: { satoshis: 1, bytes: 10 }, time: 0 };
    button({ ...GIVEN, currency: 'USDT' });
    expect(host.dataset.state).toBe('loading');
    await tick();
    expect(host.dataset.state).toBe('ready');
    expect(find('.amount').textContent).toBe('0.1\u00a0USDT');
  });

  test('a currency that the wallet doesn’t report on is still shown', async () => {
    button({ ...GIVEN, currency: 'QQQ' });
    await tick();
    expect(host.dataset.state).toBe('ready');
  });

  test('[C-07] a common currency without a rate, and an amount below one satoshi, fail as soon as the wallet has responded', async () => {
    wallet.rateFault = walletError('invalid-currency', 'None.');
    const it = button({ ...GIVEN, currency: 'EUR' });
    await tick();
    expect(host.dataset).toMatchObject({ state: 'failed', reason: 'invalid-currency' });
    wallet.known = { currency: 'USD', prices: { USD: '50' }, feeRate: { satoshis: 1, bytes: 10 }, time: 0 };
    it.update({ currency: 'USD', amount: '0.0000001' });
    await tick();
    expect(host.dataset).toMatchObject({ state: 'failed', reason: 'amount-too-small' });
  });

  test('an invalid configuration can be fixed by an update', async () => {
    const onLoad = vi.fn();
    const it = button({ amount: '1', onLoad });
    it.update({ to });
    await tick();
    expect(host.dataset.state).toBe('ready');
    expect(host.dataset.reason).toBeUndefined();
    expect(onLoad).toHaveBeenCalledOnce();
  });
});

describe('visible texts and announcements', () => {
  test.each([
    ['[A-04] the label', {}, 'Swipe to pay $0.10: Read on', 'Read on'],
    ['[A-04] without a label, a hint', { label: '' }, 'Swipe to pay $0.10', 'Swipe to pay'],
    ['[A-12] a tip', { label: '', type: 'tip' }, 'Swipe to tip $0.10', 'Swipe to tip'],
    [
      '[A-03] another currency',
      { currency: 'BSV', amount: '0.001' },
      'Swipe to pay 0.001\u00a0BSV: Read on',
      'Read on',
    ],
    [
      'a label that looks like markup and like a blank to fill',
      { label: '<b>{amount}</b>' },
      'Swipe to pay $0.10: <b>{amount}</b>',
      '<b>{amount}</b>',
    ],
  ])('the text and the accessible name match the options: %s', (_, more, name, text) => {
    button({ ...GIVEN, ...more });
    expect(slider().getAttribute('aria-label')).toBe(name);
    expect(label()).toBe(text);
  });

  test.each([
    ['[A-05] [R-11] buy', {}, "It's yours!"],
    ['[A-05] [R-11] tip', { type: 'tip' }, 'Thank you!'],
    ['[A-05] [R-11] its own message', { type: 'tip', successMessage: 'Cheers' }, 'Cheers'],
  ])('the success message becomes: %s', async (_, more, message) => {
    button({ ...GIVEN, ...more });
    swipe();
    wallet.asked[0]!.resolve(PAYMENT);
    await tick();
    expect(label()).toBe(message);
  });

  test('the slider has a range and a value, and can be reached by keyboard', () => {
    button(GIVEN);
    expect(slider().tabIndex).toBe(0);
    slider().dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
    expect(
      ['aria-valuemin', 'aria-valuemax', 'aria-valuenow', 'aria-valuetext'].map((name) => slider().getAttribute(name)),
    ).toEqual(['0', '100', '10', '10 percent']);
  });
});

describe('callbacks of a button', () => {
  afterEach(() => ['paid', 'wrong', 'loaded'].forEach((name) => delete page[name]));

  test('[A-13] [C-01] [C-05] [C-06] the function named by on-payment, looked up at the swipe, gets the payment, with the window as this', async () => {
    button({ ...GIVEN, onPayment: 'paid' });
    const seen: unknown[] = [];
    page.paid = function paid(this: unknown, ...given: unknown[]) {
      seen.push(this, given);
    };
    swipe();
    delete page.paid;
    wallet.asked[0]!.resolve(PAYMENT);
    await tick();
    expect(seen).toEqual([window, [PAYMENT]]);
  });

  test('[A-15] [C-03] [C-05] the callback on-error gets an error with a description', async () => {
    const seen: unknown[] = [];
    page.wrong = function wrong(this: unknown, ...given: unknown[]) {
      seen.push(this, ...given);
    };
    const onPayment = vi.fn();
    button({ ...GIVEN, onError: 'wrong', onPayment });
    swipe();
    wallet.asked[0]!.reject(walletError('busy', 'One at a time.'));
    await tick();
    expect(seen[0]).toBe(window);
    expect(seen[1]).toBeInstanceOf(Error);
    expect(seen[1]).toMatchObject({ code: 'busy', message: 'One at a time.' });
    expect(seen).toHaveLength(2);
    expect(onPayment).not.toHaveBeenCalled();
  });

  test.each<[string, Presence, object]>([
    ['ready', 'present', {}],
    ['no wallet', 'absent', {}],
    ['disabled', 'unknown', { disabled: true }],
  ])('[A-16] [C-04] [C-05] the callback on-load is called once, without argument: %s', async (_, presence, more) => {
    wallet.presence = presence;
    const seen: unknown[] = [];
    const it = button({
      ...GIVEN,
      ...more,
      onLoad(this: unknown, ...given: unknown[]) {
        seen.push(this, given);
      },
    });
    expect(seen).toEqual([]);
    await tick();
    it.update({ label: 'x' });
    wallet.say('present');
    await tick();
    expect(seen).toEqual([window, []]);
  });

  test('the callback on-load is called once the button is no longer loading', async () => {
    wallet.presence = 'unknown';
    const onLoad = vi.fn();
    button({ ...GIVEN, onLoad });
    await tick();
    expect(onLoad).not.toHaveBeenCalled();
    wallet.say('absent');
    await tick();
    expect(onLoad).toHaveBeenCalledOnce();
  });

  test('the error of a callback is reported, and the payment still succeeds', async () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    const fault = new Error('page');
    button({
      ...GIVEN,
      onPayment: () => {
        throw fault;
      },
    });
    swipe();
    wallet.asked[0]!.resolve(PAYMENT);
    await tick();
    expect(host.dataset.state).toBe('done');
    expect(report).toHaveBeenCalledExactlyOnceWith(fault);
    vi.unstubAllGlobals();
  });

  test.each(['shop.cart.paid', 'window.shop.cart.paid', ' shop . cart . paid '])(
    'a function with a dotted name is called with its object as this: %j',
    async (name) => {
      const cart = {
        seen: [] as unknown[],
        paid(payment: unknown) {
          this.seen.push(payment);
        },
      };
      page.shop = { cart };
      button({ ...GIVEN, onPayment: name });
      swipe();
      wallet.asked[0]!.resolve(PAYMENT);
      await tick();
      expect(cart.seen).toEqual([PAYMENT]);
      delete page.shop;
    },
  );

  test.each([
    ['onPayment', 'nowhere'],
    ['onCryptoOperations', 'nowhere'],
    ['onPayment', 'shop.nowhere.paid'],
    ['onPayment', 'nowhere()'],
    ['onPayment', 'document'],
    ['onPayment', 'throwing'],
  ])('a swipe sends nothing to the wallet while %s names a missing function: %j', async (option, name) => {
    page.shop = {};
    Object.defineProperty(page, 'throwing', {
      configurable: true,
      get() {
        throw new Error('page');
      },
    });
    const onError = vi.fn();
    button({ ...GIVEN, [option]: name, onError });
    await tick();
    expect(console_.error).toHaveBeenCalledOnce();
    swipe();
    await tick();
    expect(wallet.pay).not.toHaveBeenCalled();
    expect(host.dataset.state).toBe('error');
    expect(onError).toHaveBeenCalledOnce();
    expect(onError.mock.calls[0]![0]).toMatchObject({ code: 'missing-function', moved: 'no', blame: 'page' });
    expect(console_.error).toHaveBeenCalledOnce();
    const [message, element] = console_.error.mock.calls[0]!;
    expect(message).toContain(`${option === 'onPayment' ? 'data-on-payment' : 'data-on-crypto-operations'}="${name}"`);
    expect(element).toBe(host);
    delete page.shop;
    delete page.throwing;
  });

  test('the console explains how to make a function of a module script global', async () => {
    button({ ...GIVEN, onPayment: 'paid' });
    await tick();
    expect(console_.error.mock.calls[0]![0]).toMatch(/<script type="module">.*window\.paid = paid/);
  });

  test('a function defined after a swipe is called after the next swipe', async () => {
    button({ ...GIVEN, onPayment: 'paid' });
    swipe();
    const paid = vi.fn();
    page.paid = paid;
    swipe();
    wallet.asked[0]!.resolve(PAYMENT);
    await tick();
    expect(paid).toHaveBeenCalledExactlyOnceWith(PAYMENT);
  });

  test('a missing function is reported only once the page has loaded', async () => {
    const loading = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
    button({ ...GIVEN, onError: 'wrong', onPayment: 'paid' });
    await tick();
    expect(console_.error).not.toHaveBeenCalled();
    page.paid = vi.fn();
    loading.mockReturnValue('complete');
    window.dispatchEvent(new Event('load'));
    expect(console_.error).toHaveBeenCalledOnce();
    expect(console_.error.mock.calls[0]![0]).toContain('data-on-error="wrong"');
  });

  test('a payment proceeds without on-error and on-load, since no money depends on them', async () => {
    button({ ...GIVEN, onError: 'wrong', onLoad: 'loaded' });
    await tick();
    expect(console_.error).toHaveBeenCalledTimes(2);
    swipe();
    expect(wallet.pay).toHaveBeenCalledOnce();
  });

  test('a demo reports no missing function', async () => {
    button({ ...GIVEN, devMode: true, onPayment: 'nowhere' });
    await tick();
    swipe();
    expect(host.dataset.state).toBe('working');
    expect(console_.error).not.toHaveBeenCalled();
  });
});

describe('the console', () => {
  const warnings = () => console_.warn.mock.calls.map(([message]: unknown[]) => message as string);
  const attributes = (written: Record<string, string>) => {
    for (const [name, value] of Object.entries(written)) host.setAttribute(name, value);
    return button(attributeOptions(host));
  };

  test.each([
    [{ 'data-ammount': '1', 'data-amount': '2' }, 'data-ammount', 'data-amount'],
    [{ 'data-ammount': '1' }, 'data-ammount', 'data-amount'],
    [{ 'data-amount': '1', 'data-onpayment': 'paid' }, 'data-onpayment', 'data-on-payment'],
    [{ 'data-amount': '1', 'data-curency': 'EUR' }, 'data-curency', 'data-currency'],
    [{ 'data-amount': '1', 'data-output': '[]' }, 'data-output', 'data-outputs'],
    [{ 'data-amount': '1', 'on-payment': 'paid' }, 'on-payment', 'data-on-payment'],
    [{ 'data-dev-mode': 'true', 'data-lable': 'x' }, 'data-lable', 'data-label'],
  ])('warns once of a misspelled attribute, with the option that was meant: %j', async (written, name, meant) => {
    const it = attributes({ 'data-to': to, ...written } as Record<string, string>);
    await tick();
    it.replace(attributeOptions(host));
    await tick();
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toContain(`${name}="`);
    expect(warnings()[0]).toMatch(new RegExp(`did you mean ${meant}\\?$`));
    expect(console_.warn.mock.calls[0]![1]).toBe(host);
  });

  test('warns of an attribute that is misspelled later', async () => {
    const it = attributes({ 'data-to': to, 'data-amount': '1' });
    await tick();
    host.setAttribute('data-succes-message', 'x');
    it.replace(attributeOptions(host));
    await tick();
    expect(warnings()).toEqual([expect.stringContaining('data-success-message')]);
  });

  test('ignores correct attributes and the page’s own', async () => {
    attributes({
      'data-to': to,
      'data-amount': '1',
      'data-button-id': '1',
      'data-test-id': 'x',
      'data-turbo-permanent': '',
      'data-v-1a2b3c4d': '',
      id: 'x',
      title: 'x',
      style: 'color: red',
      'aria-label': 'x',
    });
    await tick();
    expect(warnings()).toEqual([]);
  });

  test.each([
    [{ ammount: '1' }, 'the option "ammount" is unknown and ignored: did you mean "amount"?'],
    [{ onpayment: 'paid' }, 'the option "onpayment" is unknown and ignored: did you mean "onPayment"?'],
    [{ 'data-label': 'x' }, 'the option "data-label" is unknown and ignored'],
    [{ color: 'red' }, 'the option "color" is unknown and ignored.'],
  ])('warns of the unknown options %j', async (more, message) => {
    button({ ...GIVEN, ...more });
    await tick();
    expect(warnings()).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ['amount', '1'],
    ['outputs', '[]'],
  ])('explains that data-editable applies if %s is given as well', async (name, value) => {
    provide('form', { create: () => ({ draw() {}, read: () => null }) } satisfies FormPart);
    button({ editable: true, [name]: value });
    await tick();
    expect(warnings()).toEqual([
      expect.stringMatching(new RegExp(`data-${name} is ignored, because data-editable applies`)),
    ]);
  });

  test('explains that several recipients have no QR code, unlike a single one', async () => {
    wallet.presence = 'absent';
    button({ outputs: [to, to].map((one) => ({ to: one, amount: '1', currency: 'USD' })) });
    await tick();
    expect(warnings()).toEqual([expect.stringContaining('no QR code')]);
  });

  test('doesn’t mention several recipients to users with a wallet', async () => {
    button({ outputs: [to, to].map((one) => ({ to: one, amount: '1', currency: 'USD' })) });
    await tick();
    expect(warnings()).toEqual([]);
  });
});

describe('the cost in the payer’s currency', () => {
  const RATES: PageRates = {
    currency: 'EUR',
    prices: { USD: '50', EUR: '46' },
    feeRate: { satoshis: 1, bytes: 10 },
    time: 0,
  };

  test('the cost, including the fee, is shown and described once the wallet has responded', async () => {
    wallet.known = RATES;
    button(GIVEN);
    expect(find('.cost').textContent).toBe('\u00a0');
    await tick();
    expect(find('.amount').textContent).toBe('$0.10');
    expect(find('.cost').textContent).toBe('≈ €0.09');
    expect(slider().getAttribute('aria-description')).toContain('About €0.09, network fee included (< €0.01).');
  });

  test('shows only the fee if the page’s currency is the user’s', async () => {
    wallet.known = { ...RATES, currency: 'USD' };
    button(GIVEN);
    await tick();
    expect(find('.cost').textContent).toBe('fee < $0.01');
  });

  test.each([
    ['the wallet does not tell', null],
    ['a price is missing', { ...RATES, prices: {} }],
  ])('the cost doesn’t appear if %s', async (_, rates) => {
    wallet.known = rates;
    button(GIVEN);
    await tick();
    expect(find('.cost').textContent).toBe('');
    expect(host.dataset.state).toBe('ready');
  });

  test('shows only the fee if users pay themselves, with a note below the price', async () => {
    wallet.known = { ...RATES, currency: 'USD', payer: { userId: '75101', paymail: 'ann@pay.example' } } as PageRates;
    const it = button({
      outputs: [
        { to: 'Ann@pay.example', amount: '0.10', currency: 'USD' },
        { userId: '75101', amount: '1', currency: 'USD' },
      ],
    });
    await tick();
    expect(find('.amount').textContent).toBe('$1.10');
    expect(find('.cost').textContent).toBe('You pay yourself');
    expect(slider().getAttribute('aria-description')).toMatch(
      /^You pay yourself\. About \$0\.0000\d+, network fee included/,
    );
    swipe();
    wallet.asked[0]!.resolve({ ...PAYMENT, amount: '1.10' });
    await vi.advanceTimersByTimeAsync(5000);
    expect(label()).toBe('Paid $1.10');
    it.update({
      outputs: [
        { to: 'Ann@pay.example', amount: '0.10', currency: 'USD' },
        { to, amount: '1', currency: 'USD' },
      ],
    });
    await tick();
    expect(find('.amount').textContent).toBe('$1.10');
    expect(find('.cost').textContent).not.toBe('You pay yourself');
    expect(slider().getAttribute('aria-description')).toContain('About $1.00');
  });

  test('the cost follows updates of the options', async () => {
    wallet.known = RATES;
    const it = button(GIVEN);
    it.update({ amount: '1.00' });
    await tick();
    expect(find('.cost').textContent).toBe('≈ €0.92');
  });
});

test('[S-12] several outputs show their sum', () => {
  button({
    outputs: [
      { to, amount: '0.10', currency: 'USD' },
      { to, amount: '0.25', currency: 'USD' },
    ],
  });
  expect(find('.amount').textContent).toBe('$0.35');
  swipe();
  expect(wallet.pay).toHaveBeenCalledExactlyOnceWith({
    outputs: [
      { to, amount: '0.10', currency: 'USD' },
      { to, amount: '0.25', currency: 'USD' },
    ],
  });
});

describe('an asset in a button', () => {
  const ID = `${'ab'.repeat(32)}_0`;
  const UUID = '1f0c7a52-6f0e-4f1e-9f43-0a1b2c3d4e5f';

  test.each([
    ['gold@pay.example', '5', '5\u00a0gold'],
    // An asset's name isn't a currency code, even if it starts like one.
    ['eur@pay.example', '1250.5', '1,250.5\u00a0eur'],
    ['a-name-that-is-too-long@pay.example', '5', '5\u00a0a-name-that-is-t'],
    [ID, '5', '5\u00a0tokens'],
    [UUID, '1', '1\u00a0token'],
    ['garden', '5', '5\u00a0garden'],
  ])('an asset given as %s is shown without a query to the wallet', async (currency, amount, text) => {
    button({ to, amount, currency });
    await tick();
    expect(host.dataset.state).toBe('ready');
    expect([find('.amount').textContent, find('.cost').textContent]).toEqual([text, '']);
    expect(slider().getAttribute('aria-label')).toBe(`Swipe to pay ${text}`);
    expect(wallet.rates).not.toHaveBeenCalled();
    swipe();
    expect(wallet.pay).toHaveBeenCalledExactlyOnceWith({ outputs: [{ to, amount, currency }] });
    wallet.asked[0]!.resolve({ ...PAYMENT, amount, currency });
    await vi.advanceTimersByTimeAsync(5000);
    expect(label()).toBe(`Paid ${text}`);
  });

  test('an asset may have a short alias unless the wallet has a rate for such a currency', async () => {
    wallet.rates.mockRejectedValueOnce(walletError('invalid-currency', 'This currency isn’t supported.'));
    button({ to, amount: '5', currency: 'gold' });
    expect(host.dataset.state).toBe('loading');
    await tick();
    expect([host.dataset.state, find('.amount').textContent]).toEqual(['ready', '5\u00a0gold']);
    expect(wallet.rates).toHaveBeenCalledExactlyOnceWith('GOLD');
    swipe();
    expect(wallet.pay).toHaveBeenLastCalledWith({ outputs: [{ to, amount: '5', currency: 'gold' }] });
  });

  test('an asset is queried again by the next button if the wallet could not respond', async () => {
    wallet.rates.mockRejectedValue(walletError('network-unavailable', 'No network.'));
    const first = button({ to, amount: '5', currency: 'ruby' });
    await tick();
    first.destroy();
    host = document.createElement('div');
    document.body.replaceChildren(host);
    wallet.rates.mockRejectedValue(walletError('invalid-currency', 'This currency isn’t supported.'));
    button({ to, amount: '5', currency: 'ruby' });
    await tick();
    expect([host.dataset.state, find('.amount').textContent]).toEqual(['ready', '5\u00a0ruby']);
  });

  test.each(['usdx', 'bsv', 'eur'])('an asset can’t have a currency code as its alias: %s', async (currency) => {
    button({ to, amount: '5', currency });
    await tick();
    expect(host.dataset.state).toBe('ready');
    swipe();
    expect(wallet.pay).toHaveBeenLastCalledWith({ outputs: [{ to, amount: '5', currency: currency.toUpperCase() }] });
  });

  test('an asset’s alias can’t be uppercase, so an uppercase currency without a rate is an error', async () => {
    wallet.rates.mockRejectedValueOnce(walletError('invalid-currency', 'This currency isn’t supported.'));
    button({ to, amount: '5', currency: 'GOLD' });
    await tick();
    expect([host.dataset.state, host.dataset.reason]).toEqual(['failed', 'invalid-currency']);
  });

  test('an asset is shown next to money in one amount', async () => {
    const outputs = [
      { to, amount: '5', asset: 'gold@pay.example' },
      { to, amount: '0.10', currency: 'USD' },
      { to, amount: '2.5', currency: 'gold@pay.example' },
    ];
    button({ outputs });
    expect(find('.amount').textContent).toBe('7.5\u00a0gold + $0.10');
  });

  test('an asset is never offered for the wallet’s own track', async () => {
    const offers: string[] = [];
    host.addEventListener(OFFER_EVENT, (event) => offers.push((event as CustomEvent<string>).detail));
    const it = button({ to, amount: '5', currency: ID });
    await tick();
    expect([host.dataset.state, offers]).toEqual(['ready', []]);
    it.update({ currency: 'USD' });
    await tick();
    expect(offers.at(-1)).toContain('"USD"');
  });

  test('an unknown asset fails with its reason', async () => {
    button({ to, amount: '5', currency: ID });
    swipe();
    wallet.asked[0]!.reject(walletError('unknown-asset', 'There is no token of this name.'));
    await tick();
    expect([host.dataset.state, host.dataset.reason]).toEqual(['failed', 'unknown-asset']);
  });
});

describe('crypto operations of a button', () => {
  const OPERATION = { name: 'hello', method: 'sign', data: 'x' } as const;
  const RESULT = { id: '1', name: 'hello', method: 'sign', value: 'abc' } as CryptoResult;

  test('[A-14] [C-02] [R-19] operations report their results before the payment', async () => {
    const calls: unknown[] = [];
    button({
      ...GIVEN,
      cryptoOperations: [OPERATION],
      onCryptoOperations: (...given: unknown[]) => calls.push(['operations', ...given]),
      onPayment: (...given: unknown[]) => calls.push(['payment', ...given]),
    });
    swipe();
    expect(wallet.pay).toHaveBeenCalledExactlyOnceWith({
      outputs: [{ to, amount: '0.10', currency: 'USD' }],
      label: 'Read on',
      cryptoOperations: [OPERATION],
    });
    wallet.asked[0]!.resolve(PAYMENT, [RESULT]);
    await tick();
    expect(calls).toEqual([
      ['operations', [RESULT]],
      ['payment', PAYMENT],
    ]);
  });

  test('[R-19] operations pay nothing by themselves, and report only their results', async () => {
    const onPayment = vi.fn();
    const onCryptoOperations = vi.fn();
    button({ cryptoOperations: [OPERATION], onCryptoOperations, onPayment });
    expect(label()).toBe('Swipe to confirm');
    expect(find('.amount').textContent).toBe('');
    swipe();
    expect(wallet.pay).toHaveBeenCalledExactlyOnceWith({ outputs: [], cryptoOperations: [OPERATION] });
    wallet.asked[0]!.resolve(null, [RESULT]);
    await tick();
    expect(onCryptoOperations).toHaveBeenCalledExactlyOnceWith([RESULT]);
    expect(onPayment).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(5000);
    expect(label()).toBe('Done');
  });

  test('failed operations report only an error', async () => {
    const calls: string[] = [];
    button({
      ...GIVEN,
      cryptoOperations: [OPERATION],
      onCryptoOperations: () => calls.push('operations'),
      onPayment: () => calls.push('payment'),
      onError: () => calls.push('error'),
    });
    swipe();
    wallet.asked[0]!.reject(walletError('operation-failed', ''));
    await tick();
    expect(calls).toEqual(['error']);
    expect(label()).toBe("Your wallet can't decrypt this");
  });
});

describe('[R-24] a button that is pressed', () => {
  const root = () => host.shadowRoot!;
  const step = () => [...root().querySelectorAll<HTMLElement>('.pay, .cancel')];
  const press = () => slider().click();

  test('a press leads to a second step, which pays', () => {
    button({ ...GIVEN, label: 'Read on' });
    press();
    expect(wallet.pay).not.toHaveBeenCalled();
    expect(step().map((one) => [one.textContent, one.ariaLabel ?? one.getAttribute('aria-label')])).toEqual([
      ['Pay $0.10', 'Pay $0.10: Read on'],
      ['', 'Cancel'],
    ]);
    expect(root().activeElement).toBe(step()[0]);
    step()[0]!.click();
    expect(wallet.pay).toHaveBeenCalledOnce();
    expect(step()).toEqual([]);
  });

  test('a double click counts as one press', () => {
    button(GIVEN);
    press();
    step()[0]!.dispatchEvent(new MouseEvent('click', { detail: 2 }));
    expect(wallet.pay).not.toHaveBeenCalled();
  });

  test.each([
    ['its button', () => step()[1]!.click()],
    ['Escape', () => step()[0]!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))],
  ])('%s closes the second step', (_, leave) => {
    button(GIVEN);
    press();
    leave();
    expect(step()).toEqual([]);
    expect(root().activeElement).toBe(slider());
    expect(wallet.pay).not.toHaveBeenCalled();
  });

  test('a disabled button shows no second step', () => {
    button({ ...GIVEN, disabled: true });
    press();
    expect(step()).toEqual([]);
  });

  test('the wallet’s own track is not offered during the second step', () => {
    const offers: string[] = [];
    host.addEventListener(OFFER_EVENT, (event) => offers.push((event as CustomEvent<string>).detail));
    button(GIVEN);
    press();
    expect(offers.at(-1)).toBe('');
    step()[1]!.click();
    expect(offers.at(-1)).not.toBe('');
  });
});

describe('an editable button', () => {
  const form = { draw: vi.fn(), read: vi.fn<Form['read']>() };
  const create = vi.fn<FormPart['create']>(() => form);
  beforeEach(() => {
    vi.clearAllMocks();
    provide('form', { create } satisfies FormPart);
  });

  test('[A-17] [R-24] [R-25] [R-14] pays the user’s input, with the page’s other options', async () => {
    const onPayment = vi.fn();
    button({ editable: 'true', to: 'nobody', amount: '5', currency: 'EUR', opReturn: 'note', onPayment });
    expect(host.dataset.state).toBe('ready');
    expect(find('.amount').textContent).toBe('');
    expect(form.draw).toHaveBeenLastCalledWith(
      expect.objectContaining({ to: 'nobody', currency: 'EUR', state: 'ready' }),
    );
    form.read.mockReturnValue({ to: '75101', amount: '2', currency: 'BSV' });
    swipe();
    expect(wallet.pay).toHaveBeenCalledExactlyOnceWith({
      outputs: [{ to: '75101', amount: '2', currency: 'BSV' }],
      opReturn: 'note',
    });
    expect(form.draw).toHaveBeenLastCalledWith(expect.objectContaining({ state: 'working' }));
    wallet.asked[0]!.resolve({ ...PAYMENT, amount: '2', currency: 'BSV' });
    await tick();
    expect(onPayment).toHaveBeenCalledOnce();
    expect(form.draw).toHaveBeenLastCalledWith(expect.objectContaining({ state: 'done' }));
    await vi.advanceTimersByTimeAsync(5000);
    expect(label()).toBe('Paid 2\u00a0BSV');
    create.mock.calls[0]![1].again();
    expect(host.dataset.state).toBe('ready');
    expect(form.draw).toHaveBeenLastCalledWith(expect.objectContaining({ state: 'ready' }));
  });

  test.each(['invalid-recipient', 'amount-too-small', 'invalid-currency'])(
    'shows the user what is wrong with their input (%s)',
    async (code) => {
      const onError = vi.fn();
      form.read.mockReturnValue({ to: 'ann@pay.example', amount: '0.000000001', currency: 'BSV' });
      button({ editable: true, onError });
      swipe();
      wallet.asked[0]!.reject(walletError(code, 'Why.'));
      await tick();
      expect(host.dataset.state).toBe('error');
      expect(onError).toHaveBeenCalledOnce();
      expect(form.draw).toHaveBeenLastCalledWith(expect.objectContaining({ state: 'error' }));
    },
  );

  test('suggests no currency that the wallet doesn’t know, and accepts no address from another network', async () => {
    wallet.rateFault = walletError('invalid-currency', 'None.');
    wallet.onNetwork = 'devnet';
    button({ editable: true, currency: 'QQQ' });
    await tick();
    expect(host.dataset.state).toBe('ready');
    expect(form.draw).toHaveBeenLastCalledWith(expect.objectContaining({ currency: 'USD' }));
    const kit = create.mock.calls.at(-1)![1];
    expect(
      [to, writeAddress(new Uint8Array(20).fill(7), 'mainnet'), 'ann@pay.example', 'x'].map(kit.isRecipient),
    ).toEqual([true, false, true, false]);
    expect(kit.amountText('1000', 'USD')).toBe('$1,000.00');
  });

  test('[R-24] an editable button sends no request until it is filled in', () => {
    form.read.mockReturnValue(null);
    button({ editable: true });
    swipe();
    expect(wallet.pay).not.toHaveBeenCalled();
    expect(host.dataset.state).toBe('ready');
    expect(slider().getAttribute('aria-valuenow')).toBe('0');
  });

  test('[R-29] an editable button succeeds in dev mode with any input', async () => {
    form.read.mockReturnValue(null);
    button({ editable: true, devMode: true });
    swipe();
    await vi.advanceTimersByTimeAsync(2000);
    expect(host.dataset.state).toBe('done');
  });

  test('an editable button becomes an ordinary one by an update', () => {
    const it = button({ ...GIVEN, editable: true });
    expect(find('.form')).not.toBeNull();
    it.update({ editable: false });
    expect(find('.form')).toBeNull();
    expect(find('.amount').textContent).toBe('$0.10');
    swipe();
    expect(form.read).not.toHaveBeenCalled();
  });
});

describe('a button whose visitor chooses the amount', () => {
  const form = { draw: vi.fn(), read: vi.fn<Form['read']>(), chosen: vi.fn<NonNullable<Form['chosen']>>() };
  const createChoice = vi.fn<NonNullable<FormPart['createChoice']>>(() => form);
  const CHOICE = { to, presets: '1 5', max: '20' };
  const choose = (amount: string | null, note = '') => {
    form.chosen.mockReturnValue({ amount, note });
    form.read.mockReturnValue(amount === null ? null : { to: 'ann@pay.example', amount, currency: 'BSV' });
    createChoice.mock.calls.at(-1)?.[1].changed();
  };
  beforeEach(() => {
    vi.clearAllMocks();
    provide('form', { create: () => form, createChoice } satisfies FormPart);
    choose(null);
  });

  test('the button shows the chosen amount and pays it to the page’s recipient', () => {
    button(CHOICE);
    expect([host.dataset.state, find('.amount').textContent]).toEqual(['ready', '']);
    swipe();
    expect(wallet.pay).not.toHaveBeenCalled();
    choose('5', 'Thanks');
    expect(find('.amount').textContent).toBe('$5.00');
    swipe();
    expect(wallet.pay).toHaveBeenCalledExactlyOnceWith({
      outputs: [{ to, amount: '5', currency: 'USD' }],
      choice: { max: '20' },
      payerNote: 'Thanks',
    });
  });

  test('the button offers only the chosen amount for the wallet’s own track', () => {
    const offers: string[] = [];
    host.addEventListener(OFFER_EVENT, (event) => offers.push((event as CustomEvent<string>).detail));
    button(CHOICE);
    expect(offers.join('')).toBe('');
    choose('5');
    expect(JSON.parse(offers.at(-1)!).options.outputs).toEqual([{ to, amount: '5', currency: 'USD' }]);
    choose(null);
    expect(offers.at(-1)).toBe('');
  });

  test('the button becomes an ordinary one by an update', () => {
    const it = button(CHOICE);
    it.update({ presets: null, max: null, amount: '3' });
    expect(find('.form')).toBeNull();
    expect(find('.amount').textContent).toBe('$3.00');
  });
});

test('[A-06] [A-09] [A-11] [A-20] [R-12] sends the page’s other options to the wallet', () => {
  button({
    ...GIVEN,
    opReturn: 'note',
    clientIdentifier: 'client',
    buttonId: 7,
    buttonData: '{"a":1}',
    preserveOrder: 'true',
  });
  swipe();
  expect(wallet.pay).toHaveBeenCalledExactlyOnceWith({
    outputs: [{ to, amount: '0.10', currency: 'USD' }],
    label: 'Read on',
    opReturn: 'note',
    clientIdentifier: 'client',
    buttonId: '7',
    buttonData: '{"a":1}',
    preserveOrder: true,
  });
});

describe('paying by phone', () => {
  const show = vi.fn<PhonePart['show']>();
  beforeEach(() => {
    show.mockReset();
    provide('phone', { show } satisfies PhonePart);
    wallet.presence = 'absent';
  });
  const phone = () => host.shadowRoot!.querySelector<HTMLElement>('.phone');

  test('paying by phone is offered for a payment to an address without other options', () => {
    button({ ...GIVEN, buttonId: 'b' });
    expect(phone()!.getAttribute('aria-label')).toBe('Pay by phone');
    phone()!.click();
    expect(show).toHaveBeenCalledExactlyOnceWith(
      host.shadowRoot,
      expect.objectContaining({
        address: to,
        amount: '0.10',
        currency: 'USD',
        amountText: '$0.10',
        label: 'Read on',
        serviceUrl: 'https://pay.example/',
      }),
    );
  });

  test.each<[string, RawOptions]>([
    ['a paymail', { to: 'ada@example.com', amount: '1' }],
    ['a user ID', { to: '7', amount: '1' }],
    ['a script', { to: 'OP_DUP', amount: '1' }],
    [
      'several outputs',
      {
        outputs: [
          { to, amount: '1', currency: 'USD' },
          { to, amount: '1', currency: 'USD' },
        ],
      },
    ],
    ['data', { ...GIVEN, opReturn: 'x' }],
    ['tokens', { to, amount: '5', currency: 'gold@pay.example' }],
    ['crypto operations', { ...GIVEN, cryptoOperations: [{ name: 'a', method: 'sign', data: 'x' }] }],
  ])('paying by phone isn’t offered for %s', (_, given) => {
    button(given);
    expect(host.dataset.state).toBe('no-wallet');
    expect(phone()).toBeNull();
  });

  test('paying by phone disappears when a wallet appears', () => {
    button(GIVEN);
    wallet.say('present');
    expect(phone()).toBeNull();
    expect(find('.get')).toBeNull();
  });
});

test('texts in the page’s language arrive later and replace the English ones in place', () => {
  document.documentElement.lang = 'xx';
  provide('xx', { ...ENGLISH, swipe: { ...ENGLISH.swipe, buy: 'Wischen zum Zahlen' } });
  button({ to, amount: '1.5', currency: 'EUR' });
  expect(label()).toBe('Wischen zum Zahlen');
  document.documentElement.lang = '';
});

test('[A-19] [R-27] [R-28] [R-29] [C-08] dev mode contacts no wallet, calls nothing and succeeds', async () => {
  const call = vi.fn();
  const post = vi.spyOn(window, 'postMessage');
  button({ ...GIVEN, devMode: 'true', onPayment: call, onError: call, onLoad: call, onCryptoOperations: call });
  expect(host.dataset.state).toBe('ready');
  expect(find('.cost').textContent).toBe('Demo');
  swipe();
  expect(host.dataset.state).toBe('working');
  await vi.advanceTimersByTimeAsync(2000);
  expect(host.dataset.state).toBe('done');
  expect(label()).toBe("It's yours!");
  await vi.advanceTimersByTimeAsync(5000);
  expect(label()).toBe('Demo: nothing paid');
  expect(call).not.toHaveBeenCalled();
  expect(post).not.toHaveBeenCalled();
  expect(asksForWallet).not.toHaveBeenCalled();
});

describe('updates of a button', () => {
  async function paid() {
    const it = button(GIVEN);
    swipe();
    wallet.asked[0]!.resolve(PAYMENT);
    await tick();
    return it;
  }

  test('updates keep a receipt if only texts change', async () => {
    (await paid()).update({ label: 'Other' });
    expect(host.dataset.state).toBe('done');
  });

  test('updates that change the payment make a paid button ready again', async () => {
    (await paid()).update({ amount: '5' });
    expect(host.dataset.state).toBe('ready');
    await vi.advanceTimersByTimeAsync(5000);
    expect(find('.amount').textContent).toBe('$5.00');
    expect(label()).toBe('Read on');
  });

  test('updates apply after a payment in progress has succeeded and its message was shown', async () => {
    const onPayment = vi.fn();
    const it = button({ ...GIVEN, onPayment });
    swipe();
    it.update({ amount: '7' });
    wallet.asked[0]!.resolve(PAYMENT);
    await tick();
    expect(onPayment).toHaveBeenCalledOnce();
    expect(host.dataset.state).toBe('done');
    expect(label()).toBe("It's yours!");
    await vi.advanceTimersByTimeAsync(5000);
    expect(host.dataset.state).toBe('ready');
    expect(find('.amount').textContent).toBe('$7.00');
  });

  test('updates wait for the outcome of a payment in progress', async () => {
    const onError = vi.fn();
    const it = button({ ...GIVEN, onError });
    swipe();
    it.update({ disabled: true });
    expect(host.dataset.state).toBe('working');
    wallet.asked[0]!.reject(walletError('refused', ''));
    await tick();
    expect(onError).toHaveBeenCalledOnce();
    expect(host.dataset.state).toBe('disabled');
  });

  test('updates made in the callback take precedence', async () => {
    const it: PayButton = button({ ...GIVEN, onError: () => it.update({ amount: '3' }) });
    swipe();
    wallet.asked[0]!.reject(walletError('insufficient-funds', ''));
    await tick();
    expect(host.dataset.state).toBe('ready');
    expect(find('.amount').textContent).toBe('$3.00');
  });

  test('updates end with destroy, except that a payment in progress is still reported', async () => {
    const onPayment = vi.fn();
    const it = button({ ...GIVEN, onPayment });
    swipe();
    it.destroy();
    expect(host.dataset.state).toBeUndefined();
    expect(wallet.watchers.size).toBe(0);
    wallet.asked[0]!.resolve(PAYMENT);
    await tick();
    expect(onPayment).toHaveBeenCalledOnce();
    expect(host.dataset.state).toBeUndefined();
  });
});

describe('offers for the wallet’s own track', () => {
  const heard = () => {
    const offers: string[] = [];
    window.addEventListener(OFFER_EVENT, (event) => offers.push((event as CustomEvent<string>).detail), {
      capture: true,
    });
    return offers;
  };
  const asked = (amount = '0.10') =>
    JSON.stringify({
      options: { outputs: [{ to, amount, currency: 'USD' }], label: 'Read on' },
      service: 'https://pay.example',
    });

  test('an offer contains the payment while the button is ready, and is withdrawn when it isn’t', async () => {
    const offers = heard();
    wallet.presence = 'unknown';
    const it = button(GIVEN);
    expect(offers).toEqual([]);
    wallet.presence = 'present';
    wallet.say('present');
    expect(offers.at(-1)).toBe(asked());
    it.update({ amount: '2' });
    expect(offers.at(-1)).toBe(asked('2'));
    it.update({ disabled: true });
    expect(offers.at(-1)).toBe('');
    it.update({ disabled: false });
    expect(offers.at(-1)).toBe(asked('2'));
    slider().dispatchEvent(new Event(SWIPED_EVENT));
    expect(offers.at(-1)).toBe('');
    expect(wallet.pay).toHaveBeenCalledExactlyOnceWith({
      outputs: [{ to, amount: '2', currency: 'USD' }],
      label: 'Read on',
    });
    wallet.asked[0]!.reject(walletError('refused', ''));
    await tick();
    expect(host.dataset.state).toBe('error');
    expect(offers.at(-1)).toBe('');
  });

  test('an offer crosses the boundary of a shadow tree', () => {
    const outer = document.createElement('div');
    document.body.replaceChildren(outer);
    outer.attachShadow({ mode: 'open' }).append(host);
    const offers = heard();
    button(GIVEN);
    expect(offers.at(-1)).toBe(asked());
  });

  test.each([
    ['with crypto operations', { ...GIVEN, cryptoOperations: [{ name: 'a', method: 'public-key' }] }],
    [
      'of two recipients',
      {
        outputs: [
          { to, amount: '1', currency: 'USD' },
          { to, amount: '2', currency: 'USD' },
        ],
      },
    ],
    ['without a recipient', { opReturn: 'x' }],
    ['that is a dummy', { ...GIVEN, devMode: true }],
    ['that is wrong', { ...GIVEN, amount: 'much' }],
  ])('no offer comes from a button %s', (_, given) => {
    const offers = heard();
    button(given as RawOptions);
    expect(host.dataset.state).toMatch(/ready|failed/);
    expect(offers).toEqual([]);
  });

  test('offers end when the button is destroyed', () => {
    const offers = heard();
    button(GIVEN).destroy();
    expect(offers).toEqual([asked(), '']);
  });

  test('offers end for a button that is removed, changed and re-added within a frame', () => {
    const offers = heard();
    const it = button(GIVEN);
    const parent = host.parentNode!;
    host.remove();
    it.update({ disabled: true });
    parent.appendChild(host);
    it.draw();
    it.update({ disabled: true, label: 'x' });
    expect(offers.at(-1)).toBe('');
  });

  test('offers end for a button that the page destroys during an offer', () => {
    const offers = heard();
    const it = button({ ...GIVEN, disabled: true });
    host.addEventListener(OFFER_EVENT, () => it.destroy(), { once: true });
    it.update({ disabled: false });
    expect(offers.at(-1)).toBe('');
  });
});
