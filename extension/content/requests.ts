/**
 * The relay's second part: forwards requests from its page to the wallet, and responses to the page. The relay only
 * validates the shape of requests. The wallet gets the origin from the browser.
 */
import { MAX_CALL_LENGTH, MAX_REQUEST_LENGTH } from '../../protocol/payments/limits.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
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
import { jsonOf } from './page-json.ts';
import { post, respond, XDM_PREFIX, type Reply } from './respond.ts';
import { userActivationOf, type MessageActivation, type UserGesture } from './user-activation.ts';

const METHODS: readonly string[] = PAGE_METHODS;
/** Maximum number of concurrent requests per page. */
const MAX_PENDING = 50;
/**
 * Delay before a wallet that isn't set up responds (milliseconds), so the page's other wallets can respond first.
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

/** A message from the page, with the user activation when the message arrived. */
interface Message extends MessageActivation {
  data: Record<string, unknown>;
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
/** The overlay, or null until its code is loaded. */
let overlay: Overlay | null = null;
/** Offers received while the overlay's code is loading, otherwise null. */
let offered: Map<EventTarget, unknown> | null = null;

/** ID that distinguishes this relay from other wallets' relays in this document. */
const mark = [...crypto.getRandomValues(new Uint32Array(4))].join('-');
/** ID of the relay that responded first. Its wallet serves the page. */
let first: string | null = null;
/** Whether this relay has announced itself to other relays, and whether there are other relays. */
let [announced, accompanied] = [false, false];

/** Announces this relay once to other wallets' relays, which receive the same requests from the page. */
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

/** True if the extension was updated or removed, in which case its API is unavailable to this script. */
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
 * their user activation, because the user has left the page. Requests marked `embedded` keep the mark, because another
 * site can still hide the page.
 */
function comeBack(): void {
  for (const [id, request] of pending)
    if (request.userActivation !== 'embedded') pending.set(id, { ...request, userActivation: 'none' });
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
 * @param end stops both parts
 * @param ofDocument the last user gesture in this document
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
