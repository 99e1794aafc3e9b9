/** Test fixture: a page with a simulated wallet relay. */
import { afterEach, beforeEach, vi } from 'vitest';
import { OPTIONS_PART } from '../options/options-part.ts';
import { provide } from '../page/parts.ts';
import { ServiceError, toPageError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import { paymentError } from './payment-error.ts';

export interface RelayRequest {
  id: string;
  method: string;
  params: { id: string; options: unknown };
}

/** Sends a reply the way the relay does. */
export function reply(request: RelayRequest, answer: object): void {
  const event = new MessageEvent('message', {
    data: { channel: 'service-button/1', to: 'page', id: request.id, ...answer },
    origin: window.location.origin,
  });
  Object.defineProperty(event, 'source', { value: window });
  window.dispatchEvent(event);
}

/** Provides an empty page for each test, with a wallet's relay on devnet. @returns the test's requests to the relay */
export function useRelay(): RelayRequest[] {
  const requests: RelayRequest[] = [];
  beforeEach(() => {
    requests.length = 0;
    provide('options', OPTIONS_PART);
    document.body.replaceChildren();
    sessionStorage.clear();
    vi.spyOn(window, 'postMessage').mockImplementation(((message: RelayRequest) => {
      requests.push(message);
      if (message.method === 'wallet/hello') reply(message, { result: { version: '1', network: 'devnet' } });
    }) as typeof window.postMessage);
  });
  afterEach(() => void vi.restoreAllMocks());
  return requests;
}

export async function settle(): Promise<void> {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
}

export const swipe = (host: Element) =>
  host.shadowRoot!.querySelector('[role=slider]')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));

/** Returns the error for a code, with all properties that the wallet sends. */
export const walletError = (code: string, message = '') =>
  paymentError(toPageError(new ServiceError(code as ErrorCode, { message })));
