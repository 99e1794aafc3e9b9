/**
 * The relay's first part, which runs in every page. Queues messages to the wallet, each with its user activation, until
 * requests.ts is loaded. The first message starts loading it.
 */
import { WALLET_DISCONNECTED } from '../../protocol/errors/page-side-errors.ts';
import { CHANNEL, OFFER_EVENT, PRESENT_EVENT, REQUESTS_SCRIPT, XDM_TYPE } from '../../protocol/messages/wire.ts';
import type { FromPage, beginRequests } from './requests.ts';
import type { UserGesture } from './user-activation.ts';

/** Events that count as user activation (HTML, section 6.4.1), one event for each press of a pointer or key. */
const GESTURES = ['pointerdown', 'keydown'];

const { origin } = location;
const TO_PAGE = { channel: CHANNEL, to: 'page' };

/**
 * Flags in the script's world: whether the script was injected into an open page (open-tabs.ts), and whether it has
 * run.
 */
const world = globalThis as { isLate?: true; hasRelay?: true };
const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
/** ID of this relay if it was injected into an open page (by Firefox itself or by open-tabs.ts), otherwise ''. */
const late = world.isLate || navigation?.domInteractive ? `${Math.random()}` : '';
/** Number of inquiries that this relay posts to its own window and hasn't received back yet. */
let turns = 2;
const inquire = () => postToPage({ channel: CHANNEL, to: 'wallets', beside: late });

const ended = new AbortController();
const { signal } = ended;
/** Messages that wait until requests.ts is loaded. */
let queued: FromPage[] = [];
const gestures: { last: UserGesture | null } = { last: null };
let isLoading = false;
let forward = (message: FromPage): void => {
  queued.push(message);
  void load();
};

function postToPage(message: object): void {
  postMessage(message, origin);
}

const announce = () => postToPage({ ...TO_PAGE, event: PRESENT_EVENT });

/** Loads requests.ts. In a prerendered page, requests wait for activation (WICG, "Prerendering Revamped"). */
async function load(): Promise<void> {
  if (isLoading || (document as Document & { prerendering?: boolean }).prerendering) return;
  isLoading = true;
  try {
    const url = chrome.runtime.getURL(REQUESTS_SCRIPT);
    const { beginRequests: begin } = (await import(/* @vite-ignore */ url)) as { beginRequests: typeof beginRequests };
    forward = begin(ended, gestures);
  } catch {
    // The extension was updated or removed, so its files can't be loaded.
    ended.abort();
    forward = ({ data }) => data && postToPage(disconnected(data));
  }
  queued.forEach(forward);
  queued = [];
}

function disconnected({ id, type }: Record<string, unknown>): object {
  const { message } = WALLET_DISCONNECTED;
  return type === XDM_TYPE
    ? { type, id, isInvocation: false, status: 'error', code: 1, name: 'WERR_UNAUTHORIZED', description: message }
    : { ...TO_PAGE, id, error: { code: 'wallet-disconnected', ...WALLET_DISCONNECTED } };
}

// A sandboxed page with an opaque origin must not act for the site from which it was loaded. Empty frames have no URL.
if (window.origin !== 'null' && origin !== 'null' && !(world.isLate && world.hasRelay)) {
  world.hasRelay = true;
  const listen = <E extends Event>(where: EventTarget, event: string, heard: (event: E) => void) =>
    where.addEventListener(event, heard as (event: Event) => void, { signal, capture: true, passive: true });
  listen(window, 'message', ({ source, origin: from, data }: MessageEvent) => {
    if (source !== window || from !== origin || !data) return;
    if (late && turns && data.channel === CHANNEL && data.to === 'wallets') {
      // The page already uses another wallet.
      if (data.relay) return ended.abort();
      // When the second inquiry arrives, older relays have already responded to the first.
      if (data.beside === late) {
        turns -= 1;
        return turns ? inquire() : announce();
      }
    }
    if (data.channel === CHANNEL ? data.to !== 'page' : data.type === XDM_TYPE && data.isInvocation)
      forward({ data, gesture: gestures.last, isActive: navigator.userActivation?.isActive });
  });
  // Records user gestures. Repeated events from a held key are ignored.
  for (const gesture of GESTURES)
    listen(window, gesture, ({ isTrusted, repeat }: KeyboardEvent) => {
      if (isTrusted && !repeat) gestures.last = { at: performance.now(), isUsed: false };
    });
  listen(window, OFFER_EVENT, (event: CustomEvent<unknown>) => {
    // An event without a detail withdraws the button's earlier offer. If there was no offer, requests.ts isn't needed.
    if (event.detail || isLoading || queued[0]) forward({ element: event.composedPath()[0], detail: event.detail });
  });
  // The wallet is announced again, because a button may have stopped waiting for it.
  listen(document, 'prerenderingchange', () => {
    if (queued[0]) void load();
    announce();
  });
  // After a restore from the back/forward cache, queued requests no longer follow a user gesture.
  listen(
    window,
    'pageshow',
    ({ persisted }: PageTransitionEvent) => persisted && queued.forEach((one) => (one.isActive = false)),
  );
  if (late) inquire();
  else announce();
}
