import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeAddress } from '../protocol/bitcoin/address.ts';
import type { ServiceButton } from './api.ts';
import type { FormPart } from './page/parts.ts';
import { createServiceButton } from './service-button.ts';
import { reply, settle, swipe, useRelay } from './wallet/testing-relay.ts';
import { ENGLISH } from './text/texts.ts';

const to = writeAddress(new Uint8Array(20).fill(7), 'devnet');

const requests = useRelay();
const states = () => [...document.querySelectorAll<HTMLElement>('body > *')].map((element) => element.dataset.state);

describe('scanning', () => {
  test('[E-01] [E-02] every div.service-button becomes a button with its attributes, and other elements don’t', async () => {
    document.body.innerHTML = `
      <div class="service-button" data-to="${to}" data-amount="0.10"></div>
      <div class="big service-button" data-to="${to}" data-amount="1" data-disabled="true"></div>
      <div class="service-button"></div>
      <span class="service-button"></span><div class="service-button-row"></div>`;
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const factory = createServiceButton(window, null);
    factory.scan(document);
    factory.scan(document);
    await settle();
    expect(states()).toEqual(['ready', 'disabled', 'failed', undefined, undefined]);
    expect(error).toHaveBeenCalledOnce();
    expect(requests.filter(({ method }) => method === 'wallet/hello')).toHaveLength(1);
  });

  test('a part that the page provides later is used by existing buttons', async () => {
    document.body.innerHTML = `<div class="service-button" lang="xy" data-to="${to}" data-amount="0.10"></div><div class="service-button" data-editable="true"></div>`;
    vi.spyOn(console, 'error').mockReturnValue();
    const factory = createServiceButton(window, null);
    factory.scan();
    await settle();
    expect(states()).toEqual(['ready', 'failed']);
    factory.provide('xy', { ...ENGLISH, swipe: { ...ENGLISH.swipe, buy: 'Glitu por pagi' } });
    factory.provide('form', { create: () => ({ draw: () => {}, read: () => null }) } satisfies FormPart);
    await settle();
    expect(states()).toEqual(['ready', 'ready']);
    expect(document.querySelector('.service-button')!.shadowRoot!.querySelector('.label')!.textContent).toBe(
      'Glitu por pagi',
    );
  });

  test('leaves buttons made by render', () => {
    document.body.innerHTML = '<div class="service-button" data-to="nobody" data-amount="1"></div>';
    const factory = createServiceButton(window, null);
    factory.render(document.querySelector('div')!, { devMode: true });
    factory.scan(document);
    expect(states()).toEqual(['ready']);
  });
});

describe('shadow roots', () => {
  const markup = `<div class="service-button" data-to="${to}" data-amount="0.10"></div>`;
  const inside = (host: Element) => host.shadowRoot!.querySelector<HTMLElement>('div')!;
  function nested(): [outer: HTMLElement, inner: HTMLElement] {
    const [outer, inner] = [document.createElement('section'), document.createElement('section')];
    outer.attachShadow({ mode: 'open' }).append(inner);
    inner.attachShadow({ mode: 'open' }).innerHTML = markup;
    return [outer, inner];
  }

  test('shadow roots are scanned, and observed once the page is', async () => {
    const [before, innerBefore] = nested();
    document.body.append(before);
    const factory = createServiceButton(window, null);
    factory.scan();
    factory.observe(true);
    const [after, innerAfter] = nested();
    document.body.append(after);
    await settle();
    for (const inner of [innerBefore, innerAfter]) {
      expect(inside(inner).dataset.state).toBe('ready');
      inside(inner).dataset.amount = '3';
      inner.shadowRoot!.append(Object.assign(document.createElement('div'), { className: 'service-button' }));
    }
    vi.spyOn(console, 'error').mockReturnValue();
    await settle();
    for (const inner of [innerBefore, innerAfter]) {
      expect(inside(inner).shadowRoot!.querySelector('.amount')!.textContent).toBe('$3.00');
      expect((inner.shadowRoot!.lastElementChild as HTMLElement).dataset.reason).toBe('missing-recipient');
    }
    after.remove();
    await settle();
    expect(inside(innerAfter).dataset.state).toBeUndefined();
    factory.observe(false);
  });

  test('shadow roots of an element that is defined later are scanned then', async () => {
    document.body.innerHTML = '<x-late></x-late>';
    const factory = createServiceButton(window, null);
    factory.scan();
    customElements.define(
      'x-late',
      class extends HTMLElement {
        connectedCallback() {
          this.attachShadow({ mode: 'open' }).innerHTML = markup;
        }
      },
    );
    await settle();
    expect(inside(document.querySelector('x-late')!).dataset.state).toBe('ready');
  });

  test('buttons in shadow roots have the language of the surrounding page', () => {
    const [outer, inner] = nested();
    document.body.append(outer);
    outer.lang = 'xz';
    const factory = createServiceButton(window, null);
    factory.provide('xz', { ...ENGLISH, swipe: { ...ENGLISH.swipe, buy: 'Glitu' } });
    factory.scan();
    expect(inside(inner).shadowRoot!.querySelector('.label')!.textContent).toBe('Glitu');
  });
});

describe('buttons that are added and removed', () => {
  let factory: ServiceButton;
  let host: HTMLElement;
  beforeEach(async () => {
    document.body.innerHTML = `<div class="service-button" data-to="${to}" data-amount="0.10"></div>`;
    host = document.querySelector('div')!;
    factory = createServiceButton(window, null);
    factory.scan();
    factory.observe(true);
    await settle();
  });
  afterEach(() => factory.observe(false));

  test('a button that is removed and re-added during a payment keeps it', async () => {
    swipe(host);
    host.remove();
    await settle();
    document.body.append(host);
    await settle();
    expect(host.dataset.state).toBe('working');
    swipe(host);
    expect(requests.filter(({ method }) => method === 'payment/request')).toHaveLength(1);
    reply(
      requests.find(({ method }) => method === 'payment/request')!,
      { result: { payment: { id: 'p', amount: '0.10', currency: 'USD' }, cryptoOperations: [] } },
    );
    await settle();
    expect(host.dataset.state).toBe('done');
    host.remove();
    await settle();
    expect(host.dataset.state).toBeUndefined();
  });

  test('a button restores its state if the page removes or overwrites it', async () => {
    for (const change of [() => delete host.dataset.state, () => (host.dataset.state = 'done')]) {
      change();
      await settle();
      expect(host.dataset.state).toBe('ready');
    }
    host.dataset.amount = 'x';
    await settle();
    expect(host.dataset.state).toBe('failed');
    delete host.dataset.state;
    delete host.dataset.reason;
    await settle();
    expect([host.dataset.state, host.dataset.reason]).toEqual(['failed', 'invalid-amount']);
  });

  test('a button ends when its class is removed, and restarts when it is re-added', async () => {
    host.classList.add('compact');
    await settle();
    expect(host.dataset.state).toBe('ready');
    host.classList.remove('service-button');
    await settle();
    expect(host.dataset.state).toBeUndefined();
    expect(host.shadowRoot!.querySelector('[role=slider]')).toBeNull();
    host.classList.add('service-button');
    await settle();
    expect(host.dataset.state).toBe('ready');
  });
});

test('[E-03] a second copy of the script does nothing', async () => {
  await import('./main.ts');
  const first = window.serviceButton;
  expect(first?.render).toBeTypeOf('function');
  vi.resetModules();
  await import('./main.ts');
  expect(window.serviceButton).toBe(first);
  delete window.serviceButton;
});
