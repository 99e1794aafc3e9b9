/**
 * The relay's first part, in every page. It loads requests.ts for the first message to the wallet. Until then it queues
 * messages, each with the user activation at its time.
 */
import { WALLET_DISCONNECTED } from '../../protocol/errors/page-side-errors.ts';
import { CHANNEL, OFFER_EVENT, PRESENT_EVENT, REQUESTS_SCRIPT, XDM_TYPE } from '../../protocol/messages/wire.ts';
import type { Act, Heard, beginRequests } from './requests.ts';

/** The events that count as user activation (HTML, section 6.4.1), one per press of a finger or key. */
const ACTS = ['pointerdown', 'keydown'];

const { origin } = location;
const TO_PAGE = { channel: CHANNEL, to: 'page' };

/** In this script's world of the document: whether it is injected into an open page (open-tabs.ts), and has run. */
const world = globalThis as { isLate?: true; hasRelay?: true };
const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
/** Names this relay if it is injected into an open page, otherwise ''. Firefox injects it itself. */
const late = world.isLate || navigation?.domInteractive ? `${Math.random()}` : '';
/** The remaining number of its own inquiries to receive. */
let turns = 2;
const inquire = () => tellPage({ channel: CHANNEL, to: 'wallets', beside: late });

const ended = new AbortController();
const { signal } = ended;
/** Messages that aren't forwarded yet. */
let kept: Heard[] = [];
/** The last user gesture here. */
const hand: { act: Act | null } = { act: null };
let isLoading = false;
let handOn = (heard: Heard): void => {
  kept.push(heard);
  void load();
};

function tellPage(message: object): void {
  postMessage(message, origin);
}

const tellPresent = () => tellPage({ ...TO_PAGE, event: PRESENT_EVENT });

/** Loads the rest. In a prerendered page, requests wait until it is shown (WICG, "Prerendering Revamped"). */
async function load(): Promise<void> {
  if (isLoading || (document as Document & { prerendering?: boolean }).prerendering) return;
  isLoading = true;
  try {
    const url = chrome.runtime.getURL(REQUESTS_SCRIPT);
    const { beginRequests: begin } = (await import(/* @vite-ignore */ url)) as { beginRequests: typeof beginRequests };
    handOn = begin(ended, hand);
  } catch {
    // The extension was updated or removed, so this script can no longer reach it.
    ended.abort();
    handOn = ({ data }) => data && tellPage(disconnected(data));
  }
  kept.forEach(handOn);
  kept = [];
}

function disconnected({ id, type }: Record<string, unknown>): object {
  const { message } = WALLET_DISCONNECTED;
  return type === XDM_TYPE
    ? { type, id, isInvocation: false, status: 'error', code: 1, name: 'WERR_UNAUTHORIZED', description: message }
    : { ...TO_PAGE, id, error: { code: 'wallet-disconnected', ...WALLET_DISCONNECTED } };
}

// A sandboxed page with an opaque origin has no name to show to users, and must not act for the site it was loaded
// from. An empty frame has no address.
if (window.origin !== 'null' && origin !== 'null' && !(world.isLate && world.hasRelay)) {
  world.hasRelay = true;
  const listen = <E extends Event>(where: EventTarget, event: string, heard: (event: E) => void) =>
    where.addEventListener(event, heard as (event: Event) => void, { signal, capture: true, passive: true });
  listen(window, 'message', ({ source, origin: from, data }: MessageEvent) => {
    if (source !== window || from !== origin || !data) return;
    if (late && turns && data.channel === CHANNEL && data.to === 'wallets') {
      // The page has another wallet.
      if (data.relay) return ended.abort();
      // Earlier relays have responded to an inquiry once it comes back a second time.
      if (data.beside === late) {
        turns -= 1;
        return turns ? inquire() : tellPresent();
      }
    }
    if (data.channel === CHANNEL ? data.to !== 'page' : data.type === XDM_TYPE && data.isInvocation)
      handOn({ data, act: hand.act, isActive: navigator.userActivation?.isActive });
  });
  // Records a user gesture. A held key counts once, regardless of repeats.
  for (const act of ACTS)
    listen(window, act, ({ isTrusted, repeat }: KeyboardEvent) => {
      if (isTrusted && !repeat) hand.act = { at: performance.now(), isUsed: false };
    });
  listen(window, OFFER_EVENT, (event: CustomEvent<unknown>) => {
    // Without an earlier offer there is nothing to withdraw.
    if (event.detail || isLoading || kept[0]) handOn({ element: event.composedPath()[0], detail: event.detail });
  });
  // Its button may no longer wait for the wallet.
  listen(document, 'prerenderingchange', () => {
    if (kept[0]) void load();
    tellPresent();
  });
  // No user repeats the requests of a page that was left and restored from the back/forward cache.
  listen(
    window,
    'pageshow',
    ({ persisted }: PageTransitionEvent) => persisted && kept.forEach((one) => (one.isActive = false)),
  );
  if (late) inquire();
  else tellPresent();
}
