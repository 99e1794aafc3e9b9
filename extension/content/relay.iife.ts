/**
 * The relay: carries requests from its page to the wallet and answers back. It checks the shape and adds nothing: who
 * asks is the browser's word, on the wallet's side. It opens its port with the first request, so a page without a
 * button costs nothing.
 */
import type { ErrorCode } from '../../protocol/errors.ts';

// The values of protocol/page-messages.ts, written out so that no schema library is injected into every page.
// relay.test.ts holds them equal.
const CHANNEL = 'service-button/1';
const PAGE_PORT = 'page';
const METHODS = ['wallet/hello', 'payment/request'];
const MAX_REQUEST_LENGTH = 1_000_000;
const MAX_PENDING = 50;
const RECONNECT_MS = 250;

interface Request {
  id: string;
  method: string;
  params: unknown;
}

const ended = new AbortController();
const pending = new Map<string, Request>();
let port: chrome.runtime.Port | null = null;

function tellPage(message: object): void {
  window.postMessage({ channel: CHANNEL, to: 'page', ...message }, location.origin);
}

function fail(id: string, code: ErrorCode, message: string): void {
  pending.delete(id);
  tellPage({ id, error: { code, message } });
}

/** The extension was updated or removed: this script can reach nothing any more, so it says so and falls silent. */
function end(): void {
  for (const id of [...pending.keys()]) fail(id, 'wallet-disconnected', 'The wallet was updated or switched off. Reload the page and try again.');
  ended.abort();
}

/** Opens the port and asks for everything that is unanswered. */
function connect(): void {
  try {
    const opened = chrome.runtime.connect({ name: PAGE_PORT });
    opened.onMessage.addListener((reply: { id?: unknown; result?: unknown; error?: unknown }) => {
      if (typeof reply?.id !== 'string' || !pending.delete(reply.id)) return;
      tellPage(reply.error === undefined ? { id: reply.id, result: reply.result } : { id: reply.id, error: reply.error });
    });
    opened.onDisconnect.addListener(() => port === opened && lost());
    port = opened;
    for (const request of pending.values()) opened.postMessage(request);
  } catch {
    end();
  }
}

/** The service worker was stopped, or the page was kept aside: what is unanswered is asked again, under the same id. */
function lost(): void {
  port = null;
  setTimeout(resume, RECONNECT_MS);
}

function resume(): void {
  if (!port && pending.size > 0) connect();
}

function send(request: Request): void {
  pending.set(request.id, request);
  if (!port) return connect();
  try {
    port.postMessage(request);
  } catch {
    lost();
  }
}

function receive(event: MessageEvent): void {
  if (event.source !== window || event.origin !== location.origin) return;
  const { channel, to, id, method, params } = (event.data ?? {}) as Record<string, unknown>;
  if (channel !== CHANNEL || to !== 'wallet' || typeof id !== 'string' || !/^[\w-]{8,64}$/.test(id) || pending.has(id)) return;
  if (typeof method !== 'string' || !METHODS.includes(method)) return fail(id, 'unsupported-method', 'This request is not known here.');
  let text: string | undefined;
  try {
    text = JSON.stringify(params);
  } catch {
    // circular, or with a bigint: no request of ours
  }
  if (text === undefined) return fail(id, 'invalid-request', 'The request is malformed.');
  if (text.length > MAX_REQUEST_LENGTH) return fail(id, 'too-large', 'The request is too large.');
  if (pending.size >= MAX_PENDING) return fail(id, 'too-many-requests', 'Too many requests. Wait a moment and try again.');
  send({ id, method, params: JSON.parse(text) as unknown });
}

// A page in a sandbox without an origin of its own has no name that a person could be shown.
if (location.origin !== 'null') {
  window.addEventListener('message', receive, { signal: ended.signal });
  window.addEventListener('pageshow', (event) => event.persisted && resume(), { signal: ended.signal });
  tellPage({ event: 'wallet-present' });
}
