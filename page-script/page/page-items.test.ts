/** Tests a page's payments across reloads, with real buttons and a simulated relay. */
import { beforeEach, describe, expect, test } from 'vitest';
import { PRESENT_EVENT } from '../../protocol/messages/wire.ts';
import { ITEMS_KEY } from './session-lines.ts';
import {
  OPTIONS,
  PAID,
  answer,
  sentRequests,
  requestsOf,
  factory,
  fails,
  handle,
  host,
  label,
  load,
  onError,
  onPayment,
  post,
  state,
  swipe,
  tick,
  to,
  use,
  usePage,
} from './testing-reloads.ts';

usePage();

describe('a payment that the network does not have yet', () => {
  beforeEach(async () => {
    await load();
    await swipe();
    await answer('payment/request', fails('payment-pending'));
  });
  const id = () => requestsOf('payment/request')[0]!.params.id;

  test('a payment ends in its callback as soon as the wallet knows the outcome, on the requesting page', async () => {
    expect([state(), label()]).toEqual(['error', "Sending… Don't pay again"]);
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'payment-pending' }));
    expect(requestsOf('payment/outcome').map(({ params }) => params)).toEqual([{ id: id(), known: 'payment-pending' }]);
    await answer('payment/outcome', { result: PAID });
    expect(state()).toBe('done');
    expect(onPayment).toHaveBeenCalledExactlyOnceWith(PAID.payment);
  });

  test('the page is notified once if another swipe also requested the payment', async () => {
    const first = id();
    await swipe();
    expect(requestsOf('payment/request').map(({ params }) => params.id)).toEqual([first, first]);
    await answer('payment/outcome', { result: PAID });
    await answer('payment/request', { result: PAID });
    expect(state()).toBe('done');
    expect(onPayment).toHaveBeenCalledOnce();
  });

  test('the button queries the payment after a reload, calls back once, and is not offered again', async () => {
    const first = id();
    await load();
    expect(state()).toBe('working');
    expect(requestsOf('payment/outcome').map(({ params }) => params)).toEqual([{ id: first }]);
    await answer('payment/outcome', fails('payment-pending'));
    expect([state(), label()]).toEqual(['error', "Sending… Don't pay again"]);
    expect(onError).toHaveBeenCalledOnce(); // Not called again after the reload.
    await answer('payment/outcome', { result: PAID });
    expect(state()).toBe('done');
    expect(onPayment).toHaveBeenCalledExactlyOnceWith(PAID.payment);
    await load();
    expect([state(), label()]).toEqual(['done', 'Paid $0.10']);
    expect(onPayment).toHaveBeenCalledOnce();
    expect(sentRequests).toEqual([]);
  });

  test('the button is offered again once the payment failed', async () => {
    await load();
    await answer('payment/outcome', fails('not-paid'));
    expect(state()).toBe('ready');
    await swipe();
    expect(requestsOf('payment/request')[0]!.params.id).toHaveLength(32);
    expect(onPayment).not.toHaveBeenCalled();
  });

  test.each(['not-found', 'unsupported-method'])(
    'the button repeats its old ID if the wallet responds with %s, so nothing is paid twice',
    async (code) => {
      const first = id();
      await load();
      await answer('payment/outcome', fails(code));
      expect(state()).toBe('ready');
      await swipe();
      expect(requestsOf('payment/request')[0]!.params.id).toBe(first);
    },
  );

  test('an error is replaced when the wallet knows more, and the payment still ends', async () => {
    await answer('payment/outcome', fails('payment-contested'));
    expect(label()).toBe('Not accepted. Check wallet');
    expect(requestsOf('payment/outcome').at(-1)!.params.known).toBe('payment-contested');
    await answer('payment/outcome', { result: PAID });
    expect([state(), onPayment.mock.calls.length]).toEqual(['done', 1]);
  });

  test('the callback is called even if the page shows a different payment by then', async () => {
    handle.update({ amount: '0.20' });
    expect(state()).toBe('ready');
    await answer('payment/outcome', { result: PAID });
    expect([state(), onPayment.mock.calls.length]).toEqual(['ready', 1]);
  });

  test('another page of the site and another payment are not affected', async () => {
    await load({ amount: '0.20' });
    expect([state(), requestsOf('payment/outcome')]).toEqual(['ready', []]);
    history.replaceState(null, '', '/another');
    await load();
    expect([state(), requestsOf('payment/outcome')]).toEqual(['ready', []]);
  });
});

test('a payment whose wallet is updated is completed through the new relay', async () => {
  await load();
  await swipe();
  await answer('payment/request', fails('wallet-disconnected'));
  const [before] = requestsOf('payment/outcome');
  expect(before!.params.known).toBe('wallet-disconnected');
  post({ event: PRESENT_EVENT });
  expect(requestsOf('payment/outcome')).toEqual([before, before]);
  await answer('payment/outcome', { result: PAID });
  expect([state(), onPayment.mock.calls.length]).toEqual(['done', 1]);
});

test('a reload during the approval resumes its outcome', async () => {
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

  test('the button stays paid after a reload, with a different label or in a different position on the page', async () => {
    history.replaceState(null, '', '/#comments');
    await load({ label: 'Other words' });
    expect([state(), label()]).toEqual(['done', 'Paid $0.10']);
    await swipe();
    expect(requestsOf('payment/request')).toEqual([]);
    expect(onPayment).toHaveBeenCalledOnce();
  });

  test('the button stays paid if it is recreated', async () => {
    handle.destroy();
    factory.render(host, { ...OPTIONS, onPayment });
    expect(state()).toBe('done');
  });

  test('a second button with the same payment is offered', async () => {
    await load();
    const second = document.body.appendChild(document.createElement('div'));
    factory.render(second, OPTIONS);
    await answer('wallet/hello', { result: { version: '1', network: 'devnet' } });
    expect([state(), second.dataset.state]).toEqual(['done', 'ready']);
  });

  test('the button is offered again when the page allows it', async () => {
    handle.update({ repeatable: true });
    await tick();
    expect(state()).toBe('ready');
    await swipe();
    expect(new Set(requestsOf('payment/request').map(({ params }) => params.id)).size).toBe(2);
  });

  test('the button is offered again after a reload if the page allows it', async () => {
    await load({ repeatable: 'true' });
    expect(state()).toBe('ready');
  });

  test.each(['/articles/2', '/?article=2', '/#/articles/2'])(
    'an identical payment on another page is not shown as paid: %s',
    async (address) => {
      history.replaceState(null, '', address);
      await load();
      expect(state()).toBe('ready');
    },
  );
});

test('a copy of a button resumes its payment while the button is out of the document, and calls back once', async () => {
  await load();
  document.body.innerHTML = `<div class="service-button" data-to="${to}" data-amount="0.10"></div>`;
  factory.scan();
  factory.observe(true);
  use(document.querySelector('div')!);
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

describe.each(['\u2028', '\u2029', '\r', '\n', '\t'])('a payment whose data contains %j', (character) => {
  const given = { buttonData: `Chapter one${character}Chapter two` };

  test('a paid button stays paid after another payment', async () => {
    for (const options of [given, { amount: '0.20' }]) {
      await load(options);
      await swipe();
      await answer('payment/request', { result: PAID });
    }
    await load(given);
    expect(state()).toBe('done');
  });

  test('a pending payment keeps its ID after a reload', async () => {
    await load(given);
    await swipe();
    await answer('payment/request', fails('payment-pending'));
    const { id } = requestsOf('payment/request')[0]!.params;
    await load(given);
    expect(requestsOf('payment/outcome').map(({ params }) => params.id)).toEqual([id]);
    await answer('payment/outcome', fails('not-found'));
    await swipe();
    expect(requestsOf('payment/request')[0]!.params.id).toBe(id);
  });
});

test('a callback interrupted by the reload is called after it', async () => {
  let stored = '';
  // If the tab is killed during the callback, only the writes before the callback survive.
  await load({ onPayment: () => void (stored = sessionStorage.getItem(ITEMS_KEY)!) });
  await swipe();
  await answer('payment/request', { result: PAID });
  sessionStorage.setItem(ITEMS_KEY, stored);
  await load();
  await answer('payment/outcome', { result: PAID });
  expect([state(), onPayment.mock.calls.length]).toEqual(['done', 1]);
});

test.each(['', 'x', 'a\tb', '<b>\tpaid\thttp://x\t{}', 'id-00000001\tpaid\t\t{}', '[]'])(
  'invalid data in the storage is ignored: %j',
  async (text) => {
    sessionStorage.setItem(ITEMS_KEY, text);
    await load();
    expect(state()).toBe('ready');
  },
);
