/**
 * The relay: forwards requests from its page to the wallet, and answers back. It validates their shape and adds
 * nothing: the wallet learns the origin from the browser. It opens its port with the first request, so a page without a
 * button costs nothing.
 */
import { MAX_REQUEST_LENGTH } from '../../protocol/limits.ts';
import type { UserActivation } from '../../protocol/page-messages.ts';
import { RELAY_ERRORS } from '../../protocol/page-side-errors.ts';
import type { FromRelay, ToRelay } from '../../protocol/swipe-messages.ts';
import { CHANNEL, OFFER_EVENT, OVERLAY_SCRIPT, PAGE_METHODS, PAGE_PORT, PRESENT_EVENT } from '../../protocol/wire.ts';
import type { createOverlay as CreateOverlay, Overlay } from './overlay/overlay.ts';

const METHODS: readonly string[] = PAGE_METHODS;
/** Most requests of a page that may wait at once. */
const MAX_PENDING = 50;
/** A wallet that is not set up leaves the page's other wallets so long to answer first (milliseconds). */
const GIVE_WAY_MS = 3000;
/** Milliseconds before a lost port is opened again. */
const RECONNECT_MS = 250;

interface Request {
  id: string;
  method: string;
  params: unknown;
  /** What the user's hand did here before; see {@link userActivationOf}. */
  userActivation: UserActivation;
}

/** What the browser counts as a person's act (HTML, section 6.4.1), as far as one finger or key makes one of it. */
const ACTS = ['pointerdown', 'keydown'];
/** An act counts for so long (milliseconds): longer than a slow swipe, too short to be saved up for later. */
const ACT_LIFE_MS = 10_000;

const ended = new AbortController();
const pending = new Map<string, Request>();
let port: chrome.runtime.Port | null = null;
/** Lays the wallet's own track over buttons, once it is loaded. */
let overlay: Overlay | null = null;
/** What buttons have offered until then; null where no track can be laid over them. */
let offered: Map<EventTarget, unknown> | null = null;
// When a person last acted here, on a clock that the page cannot set; null once that act was used for a request.
let actedAt: number | null = null;

/** Tells this relay from those of other wallets in this browser, in this document. */
const mark = [...crypto.getRandomValues(new Uint32Array(4))].join('-');
/** The relay that this page's wallet is behind: whose first answer came first. */
let first: string | null = null;
/** Have the others been told that this one is here, and is one of them here? Not known before the first request. */
let [announced, accompanied] = [false, false];

function tellPage(message: object): void {
  window.postMessage({ channel: CHANNEL, to: 'page', ...message }, location.origin);
}

/** A request of the page reaches all its relays at once: with the first one each tells the others that it is there. */
function tellOthers(): void {
  if (announced) return;
  announced = true;
  window.postMessage({ channel: CHANNEL, to: 'wallets', beside: mark }, location.origin);
}

/** Every relay of this document hears these in the same order, so all agree on whose came first. */
function claimPage(): void {
  if (first === null) window.postMessage({ channel: CHANNEL, to: 'wallets', relay: mark }, location.origin);
}

/**
 * Two wallets would each ask the user to pay. A page that forges a claim only does without a wallet.
 */
function claimed(relay: string): void {
  if (first !== null) return;
  first = relay;
  if (relay === mark) return;
  console.warn('[service-button] Another wallet in this browser answered this page first. This one leaves it to that.');
  ended.abort();
  pending.clear();
  const opened = port;
  port = null;
  opened?.disconnect();
}

function fail(id: string, code: keyof typeof RELAY_ERRORS): void {
  pending.delete(id);
  const { message, moved, final, blame } = RELAY_ERRORS[code];
  tellPage({ id, error: { code, message, moved, final, blame } });
}

/** The extension was updated or removed: this script can no longer reach the wallet, so it reports that and stops. */
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

/**
 * Answers the page; where the wallet is not set up, only after the others in this browser had time to. A page that
 * makes another one up waits longer to learn that.
 */
function answer(reply: Reply): void {
  if (reply.isSetUp === false && accompanied && first === null) setTimeout(() => answerNow(reply), GIVE_WAY_MS);
  else answerNow(reply);
}

function answerNow({ id, result, error }: Reply): void {
  if (!pending.delete(id)) return;
  claimPage();
  tellPage(error === undefined ? { id, result } : { id, error });
}

/** Opens the port and asks for everything that is unanswered. */
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

/**
 * The service worker was stopped, or the page was in the back/forward cache: unanswered requests are repeated with the
 * same id.
 */
function lost(): void {
  port = null;
  overlay?.lost();
  setTimeout(resume, RECONNECT_MS);
}

function resume(): void {
  if (!port && pending.size > 0 && !isAhead()) connect();
}

/**
 * Was the page loaded ahead, and nobody has seen it yet? What it asks for waits until it is shown (WICG, "Prerendering
 * Revamped").
 */
const isAhead = () => (document as Document & { prerendering?: boolean }).prerendering === true;

/**
 * The page is restored from the back/forward cache. Its port is dead, but neither reports that nor rejects a message.
 * Its open requests were withdrawn when it was left, and no person repeats them now.
 */
function comeBack(): void {
  for (const [id, request] of pending) pending.set(id, { ...request, userActivation: 'none' });
  port?.disconnect();
  port = null;
  overlay?.lost();
  resume();
}

/** A page that was loaded ahead is shown now. Its button may have given the wallet up meanwhile. */
function shown(): void {
  resume();
  tellPage({ event: PRESENT_EVENT });
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

/** Says something of a frame over this page to the wallet. What cannot be said is not asked for again. */
function tellWallet(message: FromRelay): void {
  if (!port) connect();
  try {
    port?.postMessage(message);
  } catch {
    lost();
  }
}

/** Can a frame stand over a button of this document, and find out whether a person sees it? */
const canCover = () =>
  // A frame in a frame can be masked by the page around it, which nothing in it sees.
  window === window.top &&
  'popover' in HTMLElement.prototype &&
  'IntersectionObserverEntry' in window &&
  'isVisible' in IntersectionObserverEntry.prototype;

/** A button can be swiped. What lays frames over buttons is loaded for the first that says so. */
function hearOffer(event: Event): void {
  const [element] = event.composedPath();
  const { detail } = event as CustomEvent<unknown>;
  if (overlay || !element || (!offered && !detail)) return;
  offered?.set(element, detail);
  if (offered) return;
  offered = new Map([[element, detail]]);
  const url = chrome.runtime.getURL(OVERLAY_SCRIPT);
  (import(/* @vite-ignore */ url) as Promise<{ createOverlay: typeof CreateOverlay }>).then(
    ({ createOverlay }) => {
      const surroundings = { tell: tellWallet, acted: () => (actedAt = performance.now()), signal: ended.signal };
      if (offered && !ended.signal.aborted) overlay = createOverlay(surroundings, offered);
      offered = null;
    },
    () => undefined, // the page's own track is there
  );
}

/** Notes a person's act. A key that is held down is one, however often it repeats. */
function note(event: Event): void {
  if (event.isTrusted && !(event as Partial<KeyboardEvent>).repeat) actedAt = performance.now();
}

/**
 * Whether another site embeds this frame. It could place the frame invisibly over whatever it invites people to click.
 */
const isEmbedded = () =>
  window !== window.top && [...location.ancestorOrigins].some((origin) => origin !== location.origin);

/**
 * Whether a person initiates the request. `embedded`: another site embeds this frame, which may be invisible. `active`:
 * the browser reports that a person just acted in this frame. `new`: the same, and the user was not asked anything for
 * that act yet, so that one click pays or asks once. Nothing that a page posts can change it.
 */
function userActivationOf(method: string, params: unknown): UserActivation {
  if (isEmbedded()) return 'embedded';
  if (navigator.userActivation?.isActive !== true) return 'none';
  // What the page pays by itself uses no act of a person up.
  const byHand =
    method === 'allowance/ask' ||
    method === 'identity/sign-in' ||
    (method === 'payment/request' && (params as { automatic?: unknown } | null)?.automatic !== true);
  if (!byHand || actedAt === null) return 'active';
  const isFresh = performance.now() - actedAt < ACT_LIFE_MS;
  actedAt = null;
  return isFresh ? 'new' : 'active';
}

function receive(event: MessageEvent): void {
  if (event.source !== window || event.origin !== location.origin) return;
  const { channel, to, id, method, params, relay, beside } = (event.data ?? {}) as Record<string, unknown>;
  if (channel === CHANNEL && to === 'wallets' && typeof relay === 'string') return claimed(relay);
  if (channel === CHANNEL && to === 'wallets' && typeof beside === 'string') accompanied ||= beside !== mark;
  if (channel !== CHANNEL || to !== 'wallet' || typeof id !== 'string' || !/^[\w-]{8,64}$/.test(id) || pending.has(id))
    return;
  if (typeof method !== 'string' || !METHODS.includes(method)) return fail(id, 'unsupported-method');
  let text: string | undefined;
  try {
    text = JSON.stringify(params);
  } catch {
    // circular, or with a bigint: no request of ours
  }
  if (text === undefined) return fail(id, 'invalid-request');
  if (text.length > MAX_REQUEST_LENGTH) return fail(id, 'too-large');
  if (pending.size >= MAX_PENDING) return fail(id, 'too-many-requests');
  tellOthers();
  const copy = JSON.parse(text) as unknown;
  send({ id, method, params: copy, userActivation: userActivationOf(method, copy) });
}

// A page in a sandbox without an origin of its own has no name that a person could be shown. Its address has one all
// the same: the site that it was loaded from, in whose name it must not speak.
if (window.origin !== 'null') {
  window.addEventListener('message', receive, { signal: ended.signal });
  for (const act of ACTS) window.addEventListener(act, note, { signal: ended.signal, capture: true, passive: true });
  document.addEventListener('prerenderingchange', shown, { signal: ended.signal });
  window.addEventListener('pageshow', (event) => event.persisted && comeBack(), { signal: ended.signal });
  if (canCover()) window.addEventListener(OFFER_EVENT, hearOffer, { signal: ended.signal, capture: true });
  tellPage({ event: PRESENT_EVENT });
}
