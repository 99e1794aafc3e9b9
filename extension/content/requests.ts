/**
 * The relay's second part: forwards requests from its page to the wallet, and responses to the page. The relay only
 * validates the shape of requests. The wallet gets the origin from the browser.
 */
import { ERROR_NAMES } from '../../protocol/brc100/error-names.ts';
import { MAX_CALL_LENGTH, MAX_REQUEST_LENGTH } from '../../protocol/payments/limits.ts';
import type { PageResults, UserActivation } from '../../protocol/messages/page-messages.ts';
import type { PageError } from '../../protocol/errors/service-error.ts';
import { RELAY_ERRORS } from '../../protocol/errors/page-side-errors.ts';
import type { FromRelay, ToRelay } from '../../protocol/messages/swipe-messages.ts';
import {
  CHANNEL,
  OVERLAY_SCRIPT,
  PAGE_METHODS,
  PAGE_PORT,
  REQUESTS_SCRIPT,
  XDM_TYPE,
} from '../../protocol/messages/wire.ts';
import type { createOverlay as CreateOverlay, Overlay } from './overlay/overlay.ts';

const METHODS: readonly string[] = PAGE_METHODS;
/** Maximum number of concurrent requests per page. */
const MAX_PENDING = 50;
/**
 * Delay before a wallet that isn't set up responds (milliseconds), so that the page's other wallets can respond first.
 */
const GIVE_WAY_MS = 3000;
/** Delay before a closed port is reopened (milliseconds). */
const RECONNECT_MS = 250;

interface Request {
  id: string;
  method: string;
  params: unknown;
  /** The user activation when the request was made. See {@link userActivationOf}. */
  userActivation: UserActivation;
}

/** Lifetime of a user gesture (milliseconds). Longer than a slow swipe, but too short for pages to save gestures. */
const GESTURE_LIFE_MS = 10_000;

export interface UserGesture {
  /** Time on a clock that the page can't change (milliseconds). */
  at: number;
  isUsed: boolean;
}

/** A message from the page, with the user activation when the message arrived. */
interface Message {
  data: Record<string, unknown>;
  gesture: UserGesture | null;
  /** True if the browser reports a recent user activation. */
  isActive: boolean | undefined;
  element?: undefined;
}

/** A button's offer ({@link OFFER_EVENT} in wire.ts). */
interface Offer {
  element: EventTarget | undefined;
  detail: unknown;
  data?: undefined;
  isActive?: boolean;
}

export type FromPage = Message | Offer;

// Set by the first part.
let ended = new AbortController();
let gestures: { last: UserGesture | null } = { last: null };
const pending = new Map<string, Request>();
let port: chrome.runtime.Port | null = null;
/** The overlay; null until its code is loaded. */
let overlay: Overlay | null = null;
/** Offers received while the overlay's code is loading, otherwise null. */
let offered: Map<EventTarget, unknown> | null = null;

/** ID that distinguishes this relay from other wallets' relays in this document. */
const mark = [...crypto.getRandomValues(new Uint32Array(4))].join('-');
/** ID of the relay that responded first. Its wallet serves the page. */
let first: string | null = null;
/** Whether this relay has announced itself to other relays, and whether there are other relays. */
let [announced, accompanied] = [false, false];

function post(message: object): void {
  window.postMessage(message, location.origin);
}

/** Sends a response to the page, using the same protocol as the request. */
function respond({ id, result, error }: Reply): void {
  if (id.startsWith(XDM_PREFIX)) post(xdmReply(id.slice(XDM_PREFIX.length), result, error as PageError | undefined));
  else post({ channel: CHANNEL, to: 'page', id, ...(error === undefined ? { result } : { error }) });
}

/** Formats a response of the BSV wallet interface, including errors for calls that never reached the wallet. */
function xdmReply(id: string, result: unknown, failed: PageError | undefined): object {
  const reply = { type: XDM_TYPE, id, isInvocation: false };
  if (failed) {
    const { code: reason, message: description, blame } = failed;
    return { ...reply, status: 'error', code: 1, name: ERROR_NAMES[blame], description, reason };
  }
  const answered = result as PageResults['brc100/call'];
  return 'error' in answered
    ? { ...answered.error, ...reply, status: 'error' }
    : { ...reply, status: 'success', result: answered.result };
}

/** Announces this relay, only once, to other wallets' relays. Those relays receive the same requests from the page. */
function announceToRelays(): void {
  if (announced) return;
  announced = true;
  post({ channel: CHANNEL, to: 'wallets', beside: mark });
}

/** Claims the page for this wallet. All relays receive claims in the same order and agree on the first claim. */
function claimPage(): void {
  if (first === null) post({ channel: CHANNEL, to: 'wallets', relay: mark });
}

/**
 * Handles a claim. Without claims, two wallets would prompt the user. A page that forges a claim only loses access to
 * the wallet.
 */
function claimed(relay: string): void {
  if (first !== null) return;
  first = relay;
  if (relay === mark) return;
  console.warn(
    '[service-button] Another wallet in this browser responded to this page first, so this wallet ignores the page.',
  );
  leave();
}

/** Stops serving the page and its pending requests, because another relay serves them. */
function leave(): void {
  ended.abort();
  pending.clear();
  const opened = port;
  port = null;
  opened?.disconnect();
}

/** True if the extension was updated or removed, so its API is unavailable to this script. */
function isOrphan(): boolean {
  try {
    chrome.runtime.getURL(REQUESTS_SCRIPT);
    return false;
  } catch {
    return true;
  }
}

/**
 * Responds to another relay's announcement. If the extension was updated, the new relay replaces this one. Another
 * wallet's relay must be notified that the page is already served. Otherwise, both wallets would receive repeated
 * requests and pay.
 */
function accompany(beside: string): void {
  if (beside === mark) return;
  accompanied = true;
  if (isOrphan()) leave();
  else if (first === mark) post({ channel: CHANNEL, to: 'wallets', relay: mark });
}

function fail(id: string, code: keyof typeof RELAY_ERRORS): void {
  pending.delete(id);
  const { message, moved, final, blame } = RELAY_ERRORS[code];
  respond({ id, error: { code, message, moved, final, blame } });
}

/** Reports that the wallet is unreachable because the extension was updated or removed, and stops. */
function end(): void {
  for (const id of [...pending.keys()]) fail(id, 'wallet-disconnected');
  ended.abort();
}

interface Reply {
  id: string;
  result?: unknown;
  error?: unknown;
  isSetUp?: unknown;
}

/** Responds to the page. If this wallet isn't set up, it first gives other wallets time to respond. */
function answer(reply: Reply): void {
  if (reply.isSetUp === false && accompanied && first === null) setTimeout(() => answerNow(reply), GIVE_WAY_MS);
  else answerNow(reply);
}

function answerNow({ id, result, error }: Reply): void {
  if (!pending.delete(id)) return;
  claimPage();
  respond({ id, result, error });
}

function connect(): void {
  try {
    const opened = chrome.runtime.connect({ name: PAGE_PORT });
    opened.onMessage.addListener((message: Partial<Reply & ToRelay> | null) => {
      if (message?.swipe) overlay?.hear(message as ToRelay);
      else if (typeof message?.id === 'string') answer(message as Reply);
    });
    opened.onDisconnect.addListener(() => port === opened && lost());
    port = opened;
    for (const request of pending.values()) opened.postMessage(request);
  } catch {
    end();
  }
}

/** After the port was closed, reconnects with a delay and resends the pending requests. */
function lost(): void {
  port = null;
  overlay?.lost();
  setTimeout(resume, RECONNECT_MS);
}

function resume(): void {
  if (!ended.signal.aborted && !port && pending.size > 0) connect();
}

/**
 * Reconnects after a restore from the back/forward cache, which closes the port without an event. Pending requests lose
 * their user activation, because the user has left the page.
 */
function comeBack(): void {
  for (const [id, request] of pending) pending.set(id, { ...request, userActivation: 'none' });
  port?.disconnect();
  port = null;
  overlay?.lost();
  resume();
}

function send(request: Request): void {
  pending.set(request.id, request);
  if (!port) return resume();
  try {
    port.postMessage(request);
  } catch {
    lost();
  }
}

/** Sends the wallet a message about an overlay frame. Undeliverable messages aren't retried. */
function postToWallet(message: FromRelay): void {
  if (!port) connect();
  try {
    port?.postMessage(message);
  } catch {
    lost();
  }
}

/** True if an overlay frame can cover buttons in this document and detect whether it is visible. */
const canCover = () =>
  // A site that embeds this page could mask it, and the page couldn't detect the mask.
  window === window.top &&
  'popover' in HTMLElement.prototype &&
  'IntersectionObserverEntry' in window &&
  'isVisible' in IntersectionObserverEntry.prototype;

/** Handles a button's offer. The first offer loads the overlay. */
function receiveOffer({ element, detail }: Offer): void {
  if (overlay || !element || (!offered && !detail) || !canCover()) return;
  offered?.set(element, detail);
  if (offered) return;
  offered = new Map([[element, detail]]);
  const url = chrome.runtime.getURL(OVERLAY_SCRIPT);
  (import(/* @vite-ignore */ url) as Promise<{ createOverlay: typeof CreateOverlay }>).then(
    ({ createOverlay }) => {
      const surroundings = {
        tell: postToWallet,
        noteGesture: () => (gestures.last = { at: performance.now(), isUsed: false }),
        signal: ended.signal,
      };
      if (offered && !ended.signal.aborted) overlay = createOverlay(surroundings, offered);
      offered = null;
    },
    () => undefined, // If loading fails, users swipe on the page's own track.
  );
}

/**
 * True if another site embeds this page. The embedding site could make the page invisible and place it where users
 * click.
 */
const isEmbedded = () =>
  window !== window.top && [...location.ancestorOrigins].some((origin) => origin !== location.origin);

/**
 * Returns the user activation of a request (see `UserActivation`). `new` requires a gesture that hasn't led to a prompt
 * yet, so that one click pays or prompts only once. Pages can't influence the result.
 */
function userActivationOf(method: string, params: unknown, { isActive, gesture }: Message): UserActivation {
  if (isEmbedded()) return 'embedded';
  if (isActive !== true) return 'none';
  if (!gesture || gesture.isUsed || !usesGesture(method, params)) return 'active';
  gesture.isUsed = true;
  return performance.now() - gesture.at < GESTURE_LIFE_MS ? 'new' : 'active';
}

/** BRC-100 calls that never prompt the user. */
const SILENT_CALLS = ['isAuthenticated', 'getHeight', 'getHeaderForHeight', 'getNetwork', 'getVersion'];

/** True for requests that use up a user gesture, unlike automatic payments and queries. */
function usesGesture(method: string, params: unknown): boolean {
  const { automatic, call } = (params ?? {}) as { automatic?: unknown; call?: unknown };
  if (method === 'brc100/call') return !SILENT_CALLS.includes(call as string);
  if (method === 'payment/request') return automatic !== true;
  return method === 'allowance/ask' || method === 'identity/sign-in' || method === 'asset/mint';
}

/** Serializes a page's value as JSON, or returns the reason why it can't be sent. Converts typed arrays to arrays. */
function jsonOf(value: unknown, most: number): { text: string } | { problem: 'invalid-request' | 'too-large' } {
  let isTooLarge = false;
  const plain = (_: string, part: unknown) => {
    if (!Array.isArray(part) && !ArrayBuffer.isView(part)) return part;
    // Serializing a huge sparse array would take too long.
    isTooLarge ||= (part as unknown[]).length > most;
    if (isTooLarge) return null;
    return Array.isArray(part) ? part : Array.from(part as Uint8Array);
  };
  try {
    const text = JSON.stringify(value, plain) as string | undefined;
    if (isTooLarge || (text?.length ?? 0) > most) return { problem: 'too-large' };
    if (text !== undefined) return { text };
  } catch {
    // The value is circular or contains a bigint.
  }
  return { problem: 'invalid-request' };
}

/**
 * A per-document prefix for the IDs that a page assigns to its BRC-100 calls. Without it, a page that numbers its calls
 * from 1 would receive the response to a payment made before a reload.
 */
const XDM_PREFIX = `cwi:${crypto.getRandomValues(new BigUint64Array(1))[0]!.toString(36)}:`;

function receive(message: Message): void {
  const { channel, to, id, method, params, relay, beside, type, call, args } = message.data;
  if (channel === CHANNEL && to === 'wallets' && typeof relay === 'string') return claimed(relay);
  if (channel === CHANNEL && to === 'wallets' && typeof beside === 'string') return accompany(beside);
  if (typeof id !== 'string') return;
  if (channel === CHANNEL && to === 'wallet' && /^[\w-]{8,64}$/.test(id))
    return receiveRequest(id, method, params, message);
  if (type === XDM_TYPE && /^[ -~]{1,64}$/.test(id)) receiveCall(XDM_PREFIX + id, call, args, message);
}

function receiveRequest(id: string, method: unknown, params: unknown, message: Message): void {
  if (pending.has(id)) return;
  if (typeof method !== 'string' || !METHODS.includes(method)) return fail(id, 'unsupported-method');
  const json = jsonOf(params, MAX_REQUEST_LENGTH);
  if ('problem' in json) return fail(id, json.problem);
  accept(id, method, JSON.parse(json.text), message);
}

function receiveCall(id: string, call: unknown, args: unknown, message: Message): void {
  if (pending.has(id)) return;
  const json = jsonOf(args ?? {}, MAX_CALL_LENGTH);
  if ('problem' in json) return fail(id, json.problem);
  const name = typeof call === 'string' ? call.slice(0, 50) : '';
  accept(id, 'brc100/call', { call: name, args: json.text }, message);
}

function accept(id: string, method: string, params: unknown, message: Message): void {
  if (pending.size >= MAX_PENDING) return fail(id, 'too-many-requests');
  announceToRelays();
  send({ id, method, params, userActivation: userActivationOf(method, params, message) });
}

/**
 * Starts forwarding messages from the first part.
 * @param end stops both parts @param ofDocument the last user gesture in this document
 * @returns a function that accepts messages, in order
 */
export function beginRequests(
  end: AbortController,
  ofDocument: { last: UserGesture | null },
): (message: FromPage) => void {
  [ended, gestures] = [end, ofDocument];
  window.addEventListener('pageshow', (event) => event.persisted && comeBack(), { signal: ended.signal });
  return (message) => {
    if (ended.signal.aborted) return;
    if (message.data) receive(message);
    else receiveOffer(message);
  };
}
