import { afterEach, beforeEach, vi } from 'vitest';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { CHANNEL } from '../../protocol/messages/wire.ts';
import type { ButtonHandle, ServiceButton } from '../api.ts';
import { HELP_PART } from '../help/help-part.ts';
import { provide } from './parts.ts';
import { createServiceButton } from '../service-button.ts';
import { walletError } from '../wallet/testing-relay.ts';

export const to = writeAddress(new Uint8Array(20).fill(7), 'devnet');
export const OPTIONS = { to, amount: '0.10', label: 'Read on' };
export const PAID = { payment: { id: 'p', amount: '0.10', currency: 'USD' }, cryptoOperations: [] };

export interface SentRequest {
  id: string;
  method: string;
  params: { id: string; known?: string };
}
export let sentRequests: SentRequest[];
export let page: AbortController;
export let factory: ServiceButton;
export let host: HTMLElement;
export let handle: ButtonHandle;
export const onPayment = vi.fn();
export const onError = vi.fn();

export const post = (data: object) =>
  window.dispatchEvent(
    new MessageEvent('message', {
      data: { channel: CHANNEL, to: 'page', ...data },
      origin: location.origin,
      source: window as never,
    }),
  );
export const requestsOf = (method: string) => sentRequests.filter((one) => one.method === method);
export const tick = () => new Promise((resolve) => setImmediate(resolve));
export async function answer(method: string, reply: { result?: unknown; error?: unknown }): Promise<void> {
  post({ id: requestsOf(method).at(-1)!.id, ...reply });
  await tick();
}
export const fails = (code: string) => {
  const { message, moved, final, blame } = walletError(code);
  return { error: { code, message, moved, final, blame } };
};

/** Simulates loading the page again. Only the tab's session storage remains. */
export async function load(given: object = {}): Promise<void> {
  page?.abort();
  page = new AbortController();
  sentRequests = [];
  factory = createServiceButton(window, 'https://pay.example/');
  host = document.createElement('div');
  document.body.replaceChildren(host);
  handle = factory.render(host, { ...OPTIONS, onPayment, onError, ...given });
  if (!requestsOf('wallet/hello')[0]) return; // This button doesn't query the wallet.
  await answer('wallet/hello', { result: { version: '1', network: 'devnet' } });
}
export const use = (element: HTMLElement) => (host = element);
export async function swipe(): Promise<void> {
  host.shadowRoot!.querySelector('[role=slider]')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
  await tick();
}
export const state = () => host.dataset.state;
export const label = () => host.shadowRoot!.querySelector('.label')!.textContent;

export function usePage(): void {
  beforeEach(() => {
    sessionStorage.clear();
    onPayment.mockReset();
    onError.mockReset();
    provide('help', HELP_PART);
    vi.spyOn(window, 'postMessage').mockImplementation(
      ((message: SentRequest) => void sentRequests.push(message)) as never,
    );
    const add = window.addEventListener.bind(window);
    vi.spyOn(window, 'addEventListener').mockImplementation(((name: string, listener: never) =>
      add(name, listener, { signal: page.signal })) as never);
  });
  afterEach(() => {
    page.abort();
    history.replaceState(null, '', '/');
    vi.restoreAllMocks();
  });
}
