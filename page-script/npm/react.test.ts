import { act, createElement, createRef, StrictMode, Suspense, type Ref } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ServiceButton as Interface } from '../api.ts';
import type { ButtonOptions } from '../options/button-options.ts';
import type { Payment } from './index.ts';
import { ServiceButton, type ServiceButtonProps } from './react.ts';

const DEMO = { to: '1', amount: '0.10', currency: 'USD', label: 'Read', devMode: true } satisfies ServiceButtonProps;

let container: HTMLElement;
let root: Root | null;
const asked = vi.fn<Interface['render']>();

beforeEach(async () => {
  root = null;
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const { pageServiceButton } = await import('./browser.ts');
  delete window.serviceButton;
  // The real method, which is replaced by a spy below.
  const { render } = pageServiceButton();
  asked.mockReset().mockImplementation(render);
  window.serviceButton!.render = asked;
  container = document.createElement('main');
  document.body.replaceChildren(container);
});
afterEach(async () => {
  await act(() => root?.unmount());
  vi.restoreAllMocks();
});

async function show(props: ServiceButtonProps & { ref?: Ref<HTMLElement> }, strict = false): Promise<HTMLElement> {
  const button = createElement(ServiceButton, props);
  const current = (root ??= createRoot(container));
  await act(() => current.render(strict ? createElement(StrictMode, null, button) : button));
  return container.querySelector<HTMLElement>('.service-button')!;
}
const label = (element: HTMLElement) => element.shadowRoot!.querySelector('.label')?.textContent;
const options = () => asked.mock.lastCall![1] as ButtonOptions;

test('renders, updates in place, and unmounts', async () => {
  const element = await show(DEMO);
  expect(element.dataset.state).toBe('ready');
  expect(label(element)).toBe('Read');
  const slider = element.shadowRoot!.querySelector('[role=slider]');
  expect(await show({ ...DEMO, label: 'Read on' })).toBe(element);
  expect(label(element)).toBe('Read on');
  expect(element.shadowRoot!.querySelector('[role=slider]')).toBe(slider);
  await act(() => root!.unmount());
  expect(element.dataset.state).toBeUndefined();
  expect(element.shadowRoot!.querySelector('[role=slider]')).toBeNull();
});

test('inline functions and lists don’t update the button, and the latest functions are called', async () => {
  const calls: string[] = [];
  const outputs = () => [{ to: '1', amount: '1', currency: 'USD' }];
  await show({ outputs: outputs(), devMode: true, onPayment: ({ id }) => calls.push(`first ${id}`) });
  const { onPayment } = options();
  await show({ outputs: outputs(), devMode: true, onPayment: ({ id }) => calls.push(`second ${id}`) });
  expect(asked).toHaveBeenCalledOnce();
  (onPayment as (payment: Payment) => void)({ id: 'p' } as Payment);
  expect(calls).toEqual(['second p']);
});

test('callbacks have the window as this, and their errors stay in the page, even with the default export', async () => {
  const report = vi.fn();
  vi.stubGlobal('reportError', report);
  const seen: unknown[] = [];
  await show({
    ...DEMO,
    onPayment(this: unknown) {
      seen.push(this);
      throw new Error('page');
    },
  });
  (options().onPayment as (payment: Payment) => void)({ id: 'p' } as Payment);
  expect(seen).toEqual([window]);
  expect(report).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
  expect((await import('./react.ts')).default).toBe(ServiceButton);
});

test('a removed option gets its default again', async () => {
  const element = await show({ ...DEMO, disabled: true });
  expect(element.dataset.state).toBe('disabled');
  await show(DEMO);
  expect(element.dataset.state).toBe('ready');
});

test('strict mode leaves one working button', async () => {
  const element = await show(DEMO, true);
  expect(element.dataset.state).toBe('ready');
  await show({ ...DEMO, label: 'New' }, true);
  expect(label(element)).toBe('New');
});

test('a sibling that suspends doesn’t end the button', async () => {
  let ready = (): void => {};
  const loading = new Promise<void>((resolve) => (ready = resolve));
  let state: 'there' | 'loading' = 'there';
  function Neighbour() {
    if (state === 'loading') throw loading;
    return null;
  }
  const page = () =>
    createElement(Suspense, { fallback: 'loading' }, createElement(ServiceButton, DEMO), createElement(Neighbour));
  root = createRoot(container);
  await act(() => root!.render(page()));
  const element = container.querySelector<HTMLElement>('.service-button')!;
  const slider = element.shadowRoot!.querySelector('[role=slider]');
  state = 'loading';
  await act(() => root!.render(page()));
  expect(container.textContent).toBe('loading');
  state = 'there';
  await act(async () => ready());
  expect(container.textContent).toBe('');
  expect(element.shadowRoot!.querySelector('[role=slider]')).toBe(slider);
  expect(element.dataset.state).toBe('ready');
});

test('the element accepts any element’s props, and a ref returns it', async () => {
  const ref = createRef<HTMLElement>();
  const element = await show({
    ...DEMO,
    ref: ref,
    className: 'compact',
    style: { width: 300 },
    id: 'pay',
    lang: 'de',
    'aria-describedby': 'price',
  });
  expect(ref.current).toBe(element);
  expect(element.className).toBe('service-button compact');
  expect([element.style.width, element.id, element.lang, element.getAttribute('aria-describedby')]).toEqual([
    '300px',
    'pay',
    'de',
    'price',
  ]);
  expect(
    [...element.attributes].map(({ name }) => name).filter((name) => ['to', 'amount', 'devmode'].includes(name)),
  ).toEqual([]);
});

test('a server renders the empty element, and the client turns it into the button in place', async () => {
  const complaints = vi.spyOn(console, 'error').mockReturnValue();
  const html = renderToString(createElement(ServiceButton, { ...DEMO, className: 'full' }));
  expect(html).toBe('<span class="service-button full"></span>');
  container.innerHTML = html;
  const element = container.firstElementChild as HTMLElement;
  await act(() => {
    root = hydrateRoot(container, createElement(ServiceButton, { ...DEMO, className: 'full' }));
  });
  expect(container.firstElementChild).toBe(element);
  expect(element.dataset.state).toBe('ready');
  expect(complaints).not.toHaveBeenCalled();
});
