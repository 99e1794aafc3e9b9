import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Package from './index.ts';

let module: typeof Package;
let host: HTMLElement;

beforeEach(async () => {
  vi.resetModules();
  delete window.serviceButton;
  host = document.createElement('div');
  document.body.replaceChildren(host);
  module = await import('./index.ts');
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.documentElement.lang = '';
  delete window.serviceButton;
});

const DEMO = { to: '1', amount: '1', currency: 'USD', devMode: true };
const label = () => host.shadowRoot!.querySelector('.label')!.textContent;

test('importing the package leaves the page unchanged, and its first use creates window.serviceButton', () => {
  expect(window.serviceButton).toBeUndefined();
  module.serviceButton.render(host, DEMO);
  expect(host.dataset.state).toBe('ready');
  expect(window.serviceButton?.IMB).toBe(module.serviceButton.IMB);
});

test('an earlier button.js is used', () => {
  const handle = { update: vi.fn(), destroy: vi.fn() };
  window.serviceButton = {
    render: vi.fn(() => handle),
    provide: vi.fn(),
    scan: vi.fn(),
    observe: vi.fn(),
    IMB: vi.fn(),
  } as unknown as Package.ServiceButton;
  expect(module.serviceButton.render(host, DEMO)).toBe(handle);
  module.serviceButton.provide('xx', {});
  module.serviceButton.scan();
  module.serviceButton.observe(true);
  for (const name of ['render', 'provide', 'scan', 'observe'] as const)
    expect(window.serviceButton[name]).toHaveBeenCalledOnce();
  expect(host.shadowRoot).toBeNull();
});

test('a later button.js uses the existing object, and makes the buttons of the page', async () => {
  const element = document.createElement('div');
  element.className = 'service-button';
  Object.assign(element.dataset, { to: '1', amount: '1', currency: 'USD', devMode: 'true' });
  document.body.append(element);
  module.serviceButton.render(host, DEMO);
  const there = window.serviceButton;
  vi.stubGlobal('__PARTS__', []);
  await import('../main.ts');
  expect(window.serviceButton).toBe(there);
  expect(element.dataset.state).toBe('ready');
});

test('a server can import the package, and gets an explanation when it uses it', async () => {
  vi.stubGlobal('window', undefined);
  vi.resetModules();
  const { serviceButton } = await import('./index.ts');
  expect(() => serviceButton.render(host)).toThrow(/needs a browser/);
  expect(() => serviceButton.IMB).toThrow(/needs a browser/);
});

test('setServiceUrl sets the origin of the wallet’s download page', async () => {
  expect(() => module.setServiceUrl('javascript:alert(1)')).toThrow(TypeError);
  expect(() => module.setServiceUrl('pay.example')).toThrow(TypeError);
  module.setServiceUrl('https://pay.example/anywhere?x=1');
  vi.useFakeTimers();
  module.serviceButton.render(host, { ...DEMO, devMode: false });
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  expect(host.dataset.state).toBe('no-wallet');
  await vi.waitFor(() => expect(host.shadowRoot!.querySelector('a')?.href).toBe('https://pay.example/wallet'));
});

test('the texts of the page’s language load on demand', async () => {
  document.documentElement.lang = 'de-AT';
  module.serviceButton.render(host, DEMO);
  const { texts } = await import('../languages/de.ts');
  await vi.waitFor(() => expect(label()).toBe(texts.swipe.buy));
});

test('every part of the button can be loaded', async () => {
  const { loadPart, PART_NAMES } = await import('./parts.ts');
  const { part, textsFor } = await import('../page/parts.ts');
  const { pageServiceButton } = await import('./browser.ts');
  pageServiceButton();
  expect(PART_NAMES).toEqual(expect.arrayContaining(['de', 'phone']));
  for (const name of PART_NAMES) {
    await loadPart(name);
    expect(part(name, () => {})).toBeTypeOf('object');
  }
  expect(textsFor('de', () => {})).toBe((await import('../languages/de.ts')).texts);
});
