/** A page's payments across reloads: real buttons and a relay that the test speaks for. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeAddress } from '../protocol/address.ts';
import { CHANNEL, PRESENT_EVENT } from '../protocol/wire.ts';
import type { ButtonHandle, ServiceButton } from './api.ts';
import { HELP_PART } from './help/help-part.ts';
import { ChoiceForm } from './form/choice-form.ts';
import { PaymentForm } from './form/payment-form.ts';
import { OPTIONS_PART } from './options/options-part.ts';
import { ITEMS_KEY } from './page-items.ts';
import { provide } from './parts.ts';
import { createServiceButton } from './service-button.ts';
import { walletError } from './testing-errors.ts';

const to = writeAddress(new Uint8Array(20).fill(7), 'devnet');
const GIVEN = { to, amount: '0.10', label: 'Read on' };
const PAID = { payment: { id: 'p', amount: '0.10', currency: 'USD' }, cryptoOperations: [] };

interface Asked {
  id: string;
  method: string;
  params: { id: string; known?: string };
}
let asked: Asked[];
let page: AbortController;
let factory: ServiceButton;
let host: HTMLElement;
let handle: ButtonHandle;
const onPayment = vi.fn();
const onError = vi.fn();

/** Posts to the page as the relay does. */
const post = (data: object) =>
  window.dispatchEvent(
    new MessageEvent('message', {
      data: { channel: CHANNEL, to: 'page', ...data },
      origin: location.origin,
      source: window as never,
    }),
  );
const asksOf = (method: string) => asked.filter((one) => one.method === method);
const tick = () => new Promise((resolve) => setImmediate(resolve));
async function answer(method: string, reply: { result?: unknown; error?: unknown }): Promise<void> {
  post({ id: asksOf(method).at(-1)!.id, ...reply });
  await tick();
}
const fails = (code: string) => {
  const { message, moved, final, blame } = walletError(code);
  return { error: { code, message, moved, final, blame } };
};

/** Loads the page as a browser does. Only the tab's session is left. */
async function load(given: object = {}): Promise<void> {
  page?.abort();
  page = new AbortController();
  asked = [];
  factory = createServiceButton(window, 'https://pay.example/');
  host = document.createElement('div');
  document.body.replaceChildren(host);
  handle = factory.render(host, { ...GIVEN, onPayment, onError, ...given });
  if (!asksOf('wallet/hello')[0]) return; // nothing is left to ask a wallet
  await answer('wallet/hello', { result: { version: '1', network: 'devnet' } });
}
async function swipe(): Promise<void> {
  host.shadowRoot!.querySelector('[role=slider]')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
  await tick();
}
const state = () => host.dataset.state;
const label = () => host.shadowRoot!.querySelector('.label')!.textContent;

beforeEach(() => {
  sessionStorage.clear();
  onPayment.mockReset();
  onError.mockReset();
  provide('help', HELP_PART);
  vi.spyOn(window, 'postMessage').mockImplementation(((message: Asked) => void asked.push(message)) as never);
  const add = window.addEventListener.bind(window);
  vi.spyOn(window, 'addEventListener').mockImplementation(((name: string, listener: never) =>
    add(name, listener, { signal: page.signal })) as never);
});
afterEach(() => {
  page.abort();
  history.replaceState(null, '', '/');
  vi.restoreAllMocks();
});

describe('a payment that the network does not have yet', () => {
  beforeEach(async () => {
    await load();
    await swipe();
    await answer('payment/request', fails('payment-pending'));
  });
  const id = () => asksOf('payment/request')[0]!.params.id;

  test('ends in its callback as soon as the wallet knows, on the page that has asked', async () => {
    expect([state(), label()]).toEqual(['error', "Sending… Don't pay again"]);
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'payment-pending' }));
    expect(asksOf('payment/outcome').map(({ params }) => params)).toEqual([{ id: id(), known: 'payment-pending' }]);
    await answer('payment/outcome', { result: PAID });
    expect(state()).toBe('done');
    expect(onPayment).toHaveBeenCalledExactlyOnceWith(PAID.payment);
  });

  test('the page is notified once if another swipe has requested the payment as well', async () => {
    const first = id();
    await swipe();
    expect(asksOf('payment/request').map(({ params }) => params.id)).toEqual([first, first]);
    await answer('payment/outcome', { result: PAID });
    await answer('payment/request', { result: PAID });
    expect(state()).toBe('done');
    expect(onPayment).toHaveBeenCalledOnce();
  });

  test('the button queries the payment after a reload, calls back once, and is not offered again', async () => {
    const first = id();
    await load();
    expect(state()).toBe('working');
    expect(asksOf('payment/outcome').map(({ params }) => params)).toEqual([{ id: first }]);
    await answer('payment/outcome', fails('payment-pending'));
    expect([state(), label()]).toEqual(['error', "Sending… Don't pay again"]);
    expect(onError).toHaveBeenCalledOnce(); // before the reload
    await answer('payment/outcome', { result: PAID });
    expect(state()).toBe('done');
    expect(onPayment).toHaveBeenCalledExactlyOnceWith(PAID.payment);
    await load();
    expect([state(), label()]).toEqual(['done', 'Paid $0.10']);
    expect(onPayment).toHaveBeenCalledOnce();
    expect(asked).toEqual([]);
  });

  test('the button is offered again once the payment failed', async () => {
    await load();
    await answer('payment/outcome', fails('not-paid'));
    expect(state()).toBe('ready');
    await swipe();
    expect(asksOf('payment/request')[0]!.params.id).toHaveLength(32);
    expect(onPayment).not.toHaveBeenCalled();
  });

  test.each(['not-found', 'unsupported-method'])(
    'the button repeats its old id if the wallet answers %s, so that nothing is paid twice',
    async (code) => {
      const first = id();
      await load();
      await answer('payment/outcome', fails(code));
      expect(state()).toBe('ready');
      await swipe();
      expect(asksOf('payment/request')[0]!.params.id).toBe(first);
    },
  );

  test('becomes another error when the wallet knows more, and still ends', async () => {
    await answer('payment/outcome', fails('payment-contested'));
    expect(label()).toBe('Not accepted. Check wallet');
    expect(asksOf('payment/outcome').at(-1)!.params.known).toBe('payment-contested');
    await answer('payment/outcome', { result: PAID });
    expect([state(), onPayment.mock.calls.length]).toEqual(['done', 1]);
  });

  test('the callback comes although the page shows another payment by then', async () => {
    handle.update({ amount: '0.20' });
    expect(state()).toBe('ready');
    await answer('payment/outcome', { result: PAID });
    expect([state(), onPayment.mock.calls.length]).toEqual(['ready', 1]);
  });

  test('another page of the site and another payment are not affected', async () => {
    await load({ amount: '0.20' });
    expect([state(), asksOf('payment/outcome')]).toEqual(['ready', []]);
    history.replaceState(null, '', '/another');
    await load();
    expect([state(), asksOf('payment/outcome')]).toEqual(['ready', []]);
  });
});

test('a payment whose wallet is updated ends by the new relay', async () => {
  await load();
  await swipe();
  await answer('payment/request', fails('wallet-disconnected'));
  const [before] = asksOf('payment/outcome');
  expect(before!.params.known).toBe('wallet-disconnected');
  post({ event: PRESENT_EVENT });
  expect(asksOf('payment/outcome')).toEqual([before, before]);
  await answer('payment/outcome', { result: PAID });
  expect([state(), onPayment.mock.calls.length]).toEqual(['done', 1]);
});

test('a reload during the approval takes up its outcome', async () => {
  await load();
  await swipe();
  await load();
  expect(state()).toBe('working');
  await answer('payment/outcome', fails('page-gone'));
  expect(state()).toBe('ready');
});

describe('a paid button', () => {
  beforeEach(async () => {
    await load();
    await swipe();
    await answer('payment/request', { result: PAID });
  });

  test('the button stays paid after a reload, under another label or at another place of the page', async () => {
    history.replaceState(null, '', '/#comments');
    await load({ label: 'Other words' });
    expect([state(), label()]).toEqual(['done', 'Paid $0.10']);
    await swipe();
    expect(asksOf('payment/request')).toEqual([]);
    expect(onPayment).toHaveBeenCalledOnce();
  });

  test('the button stays paid if it is made again', async () => {
    handle.destroy();
    handle = factory.render(host, { ...GIVEN, onPayment });
    expect(state()).toBe('done');
  });

  test('a second button with the same payment is offered', async () => {
    await load();
    const second = document.body.appendChild(document.createElement('div'));
    factory.render(second, GIVEN);
    await answer('wallet/hello', { result: { version: '1', network: 'devnet' } });
    expect([state(), second.dataset.state]).toEqual(['done', 'ready']);
  });

  test('the button is offered again when the page allows it', async () => {
    handle.update({ repeatable: true });
    await tick();
    expect(state()).toBe('ready');
    await swipe();
    expect(new Set(asksOf('payment/request').map(({ params }) => params.id)).size).toBe(2);
  });

  test('the button is offered again after a reload if the page allows it', async () => {
    await load({ repeatable: 'true' });
    expect(state()).toBe('ready');
  });

  test.each(['/articles/2', '/?article=2', '/#/articles/2'])(
    'the same payment on another page is not paid: %s',
    async (address) => {
      history.replaceState(null, '', address);
      await load();
      expect(state()).toBe('ready');
    },
  );
});

describe('a chosen amount', () => {
  const TIP = { amount: null, presets: '1 5' };
  const choose = async (amount: string) => {
    host.shadowRoot!.querySelector<HTMLElement>(`button[value="${amount}"]`)!.click();
    await tick();
  };
  const again = () =>
    [...host.shadowRoot!.querySelectorAll<HTMLElement>('.form button')].find(
      ({ hidden, textContent }) => !hidden && textContent === 'Pay again',
    );
  beforeEach(async () => {
    provide('options', OPTIONS_PART);
    provide('form', {
      create: (...given: ConstructorParameters<typeof PaymentForm>) => new PaymentForm(...given),
      createChoice: (...given: ConstructorParameters<typeof ChoiceForm>) => new ChoiceForm(...given),
    });
    await load(TIP);
    await choose('5');
    await swipe();
  });

  test('a reload in the middle of the tip takes up its outcome, and nothing else can be chosen', async () => {
    await load(TIP);
    expect([state(), asksOf('payment/outcome').length]).toEqual(['working', 1]);
    expect(host.shadowRoot!.querySelector<HTMLButtonElement>('button[value="1"]')!.disabled).toBe(true);
    await answer('payment/outcome', { result: PAID });
    expect([state(), onPayment.mock.calls.length]).toEqual(['done', 1]);
  });

  test('the button stays paid after a reload, and two tips in a row are two payments', async () => {
    await answer('payment/request', { result: PAID });
    await load(TIP);
    expect([state(), label()]).toEqual(['done', 'Paid']);
    again()!.click();
    await answer('wallet/hello', { result: { version: '1', network: 'devnet' } });
    expect(state()).toBe('ready');
    await choose('5');
    await swipe();
    await answer('payment/request', { result: { ...PAID, payment: { ...PAID.payment, id: 'q' } } });
    expect([state(), onPayment.mock.calls.length]).toEqual(['done', 2]);
  });

  test('the button is offered after a reload if the page allows it', async () => {
    await answer('payment/request', { result: PAID });
    await load({ ...TIP, repeatable: true });
    expect(state()).toBe('ready');
  });
});

test('a copy of a button takes its payment up while the button is out of the document, and calls back once', async () => {
  await load();
  document.body.innerHTML = `<div class="service-button" data-to="${to}" data-amount="0.10"></div>`;
  factory.scan();
  factory.observe(true);
  host = document.querySelector('div')!;
  host.dataset.onPayment = 'onPaid';
  Object.assign(window, { onPaid: onPayment });
  await tick();
  await swipe();
  const copy = host.cloneNode() as HTMLElement;
  host.replaceWith(copy);
  await tick();
  expect(copy.dataset.state).toBe('working');
  await answer('payment/outcome', { result: PAID });
  await answer('payment/request', { result: PAID });
  expect([copy.dataset.state, onPayment.mock.calls.length]).toEqual(['done', 1]);
  factory.observe(false);
});

test('a callback that the reload has cut off is called after it', async () => {
  let stored = '';
  // What the button stores after this, a tab that is killed here never has.
  await load({ onPayment: () => void (stored = sessionStorage.getItem(ITEMS_KEY)!) });
  await swipe();
  await answer('payment/request', { result: PAID });
  sessionStorage.setItem(ITEMS_KEY, stored);
  await load();
  await answer('payment/outcome', { result: PAID });
  expect([state(), onPayment.mock.calls.length]).toEqual(['done', 1]);
});

test.each(['', 'x', 'a\tb', '<b>\tpaid\thttp://x\t{}', 'id-00000001\tpaid\t\t{}', '[]'])(
  'storage with %j does no harm',
  async (text) => {
    sessionStorage.setItem(ITEMS_KEY, text);
    await load();
    expect(state()).toBe('ready');
  },
);
