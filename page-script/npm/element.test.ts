import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import type { ButtonHandle, ServiceButton } from '../api.ts';
import { lostCallback } from '../page/callbacks.ts';
import type { ButtonOptions } from '../options/button-options.ts';
import { OPTION_NAMES, type OptionName } from '../options/rules.ts';
import type { Payment, PaymentError } from './index.ts';
import { defineServiceButton, type ServiceButtonElement } from './element.ts';

const PAYMENT = { id: 'p' } as Payment;
const PAYMENT_ERROR = { code: 'refused' } as PaymentError;

const render = vi.fn<(element: HTMLElement, options?: ButtonOptions) => ButtonHandle>();
const destroy = vi.fn();
const page = window as unknown as Record<string, unknown>;

beforeEach(async () => {
  document.body.replaceChildren();
  await settle();
  render.mockReset().mockReturnValue({ update: vi.fn(), destroy });
  destroy.mockReset();
  window.serviceButton = { render } as unknown as ServiceButton;
});
afterEach(() => {
  delete window.serviceButton;
});

const settle = () => Promise.resolve();
const options = () => render.mock.lastCall![1] as Record<OptionName, unknown>;
const given = () =>
  Object.fromEntries(Object.entries(options()).filter(([name, value]) => value !== null && !name.startsWith('on')));

async function write(html: string): Promise<ServiceButtonElement> {
  document.body.innerHTML = html;
  await settle();
  return document.querySelector('service-button')!;
}

describe('options', () => {
  test('attributes work with and without data-, and those without have priority', async () => {
    await write(
      '<service-button to="a@b.example" data-amount="1" amount="2" data-currency="EUR" op-return="x" data-button-id="7" outputs=\'[{"to":"1"}]\'></service-button>',
    );
    expect(given()).toEqual({
      to: 'a@b.example',
      amount: '2',
      currency: 'EUR',
      opReturn: 'x',
      buttonId: '7',
      outputs: '[{"to":"1"}]',
    });
  });

  test.each([
    ['disabled', true],
    ['disabled=""', true],
    ['disabled="disabled"', true],
    ['disabled="true"', true],
    ['data-disabled', true],
    ['disabled="false"', false],
    ['', undefined],
    ['disabled="no"', 'no'],
  ])('the boolean attribute %s is %s', async (attribute, value) => {
    await write(`<service-button ${attribute}></service-button>`);
    expect(given().disabled).toBe(value);
  });

  test('the function that on-payment names is looked up before each payment, so it may be defined later', async () => {
    await write('<service-button on-payment="nowhere"></service-button>');
    expect(lostCallback(options() as never)).toMatchObject({ code: 'missing-function' });
    page.nowhere = () => {};
    expect(lostCallback(options() as never)).toBeUndefined();
    delete page.nowhere;
  });

  test('each option is a property that can be read and written', async () => {
    const element = await write('<service-button amount="1" dev-mode></service-button>');
    expect(OPTION_NAMES.filter((name) => !(name in element))).toEqual([]);
    expect([element.amount, element.devMode, element.label]).toEqual(['1', true, null]);
    const outputs = [{ to: '1', amount: '1', currency: 'USD' }];
    Object.assign(element, { amount: 2, outputs, disabled: false });
    await settle();
    expect(given()).toEqual({ amount: 2, outputs, disabled: false, devMode: true });
    element.amount = null;
    await settle();
    expect(given().amount).toBe('1');
    expectTypeOf(element.disabled).toEqualTypeOf<ButtonOptions['disabled']>();
  });

  test('properties that were set before the element was defined are used', async () => {
    const early = document.createElement('late-button') as ServiceButtonElement;
    Object.assign(early, { to: '1', disabled: true });
    document.body.append(early);
    defineServiceButton('late-button');
    customElements.upgrade(early);
    await settle();
    expect(given()).toEqual({ to: '1', disabled: true });
    early.disabled = false;
    await settle();
    expect(given().disabled).toBe(false);
  });

  test('simultaneous changes cause only one update', async () => {
    const element = await write('<service-button></service-button>');
    render.mockClear();
    element.setAttribute('amount', '1');
    element.setAttribute('data-label', 'x');
    element.to = 5;
    await settle();
    expect(render).toHaveBeenCalledOnce();
    expect(given()).toEqual({ amount: '1', label: 'x', to: 5 });
  });
});

describe('adding and removing', () => {
  test('the button is rendered only once the element is in the document', async () => {
    const element = document.createElement('service-button');
    element.amount = '1';
    await settle();
    expect(render).not.toHaveBeenCalled();
    document.body.append(element);
    await settle();
    expect(render).toHaveBeenCalledOnce();
  });

  test('a move does not end the button, a removal does, and re-adding it starts a new one', async () => {
    const element = await write('<p></p><service-button></service-button>');
    document.querySelector('p')!.append(element);
    await settle();
    expect(destroy).not.toHaveBeenCalled();
    element.remove();
    await settle();
    expect(destroy).toHaveBeenCalledOnce();
    document.body.append(element);
    element.remove();
    await settle();
    expect(destroy).toHaveBeenCalledOnce();
    render.mockClear();
    document.body.append(element);
    await settle();
    expect(render).toHaveBeenCalledOnce();
  });

  test('a button with a payment in progress is not ended by a removal, since it may be re-added', async () => {
    const element = await write('<service-button></service-button>');
    element.dataset.state = 'working';
    element.remove();
    await settle();
    expect(destroy).not.toHaveBeenCalled();
  });

  test('a second definition, or one on a server, does nothing', async () => {
    const first = customElements.get('service-button');
    defineServiceButton();
    expect(customElements.get('service-button')).toBe(first);
    vi.stubGlobal('customElements', undefined);
    expect(() => defineServiceButton()).not.toThrow();
    vi.unstubAllGlobals();
  });

  test('the element contains a real button, and the surrounding form is found', async () => {
    delete window.serviceButton;
    const element = await write(
      '<form><service-button to="1" amount="1" currency="USD" dev-mode></service-button></form>',
    );
    expect(element.dataset.state).toBe('ready');
    expect(element.shadowRoot?.querySelector('[role=slider]')).not.toBeNull();
    expect(element.form).toBe(document.querySelector('form'));
  });
});

describe('events', () => {
  test('the function of the option is called first, then the event bubbles through the page', async () => {
    const element = await write('<div><service-button></service-button></div>');
    const order: string[] = [];
    element.onPayment = (payment) => order.push(`function ${payment.id}`);
    element.addEventListener('payment', ({ detail }) => order.push(`event ${detail.id}`));
    document.body.addEventListener('payment', (event) => order.push(`body ${event.composed}`), { once: true });
    await settle();
    (options().onPayment as (payment: Payment) => void)(PAYMENT);
    expect(order).toEqual(['function p', 'event p', 'body true']);
  });

  test.each([
    ['onError', 'payment-error', PAYMENT_ERROR],
    ['onCryptoOperations', 'crypto-operations', []],
    ['onLoad', 'load', undefined],
  ] as const)('the option %s corresponds to the event %s', async (option, name, detail) => {
    const element = await write('<service-button></service-button>');
    const details: unknown[] = [];
    element.addEventListener(name, (event: CustomEvent) => details.push(event.detail));
    (options()[option] as (given?: unknown) => void)(detail);
    expect(details).toEqual([detail ?? null]);
  });

  test('a function may be named in an attribute, and replaced by a property', async () => {
    const named = vi.fn();
    page.paidIt = named;
    const element = await write('<service-button on-payment="paidIt"></service-button>');
    (options().onPayment as (payment: Payment) => void)(PAYMENT);
    expect(named).toHaveBeenCalledExactlyOnceWith(PAYMENT);
    const other = vi.fn();
    element.onPayment = other;
    (options().onPayment as (payment: Payment) => void)(PAYMENT);
    expect(other).toHaveBeenCalledOnce();
    expect(named).toHaveBeenCalledOnce();
    delete page.paidIt;
  });

  test('a name missing from the window is reported with the element, the attribute, the value and the fix', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const element = await write('<service-button on-payment="paidThat"></service-button>');
    (options().onPayment as (payment: Payment) => void)(PAYMENT);
    const remedy = /on-payment="paidThat".*Write .*window\.paidThat = /;
    expect(warn.mock.calls).toEqual([[expect.stringMatching(remedy), element]]);
    warn.mockRestore();
  });

  test('an empty attribute names no function and causes no warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    await write('<service-button on-payment=""></service-button>');
    (options().onPayment as (payment: Payment) => void)(PAYMENT);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});
