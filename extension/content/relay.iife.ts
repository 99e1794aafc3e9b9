/**
 * The relay's first part, in every page: hears the page and loads the rest (requests.ts) for the first message that is
 * for the wallet. Until that is there it keeps what it hears, in order, each with what the user's hand had done by then.
 */
import { WALLET_DISCONNECTED } from '../../protocol/page-side-errors.ts';
import { CHANNEL, OFFER_EVENT, PRESENT_EVENT, REQUESTS_SCRIPT, XDM_TYPE } from '../../protocol/wire.ts';
import type { Act, Heard, beginRequests } from './requests.ts';

/** What the browser counts as a person's act (HTML, section 6.4.1), as far as one finger or key makes one of it. */
const ACTS = ['pointerdown', 'keydown'];

const { origin } = location;
const TO_PAGE = { channel: CHANNEL, to: 'page' };

/** In this script's own world of the document: whether it comes to an open page (open-tabs.ts), and has run. */
const world = globalThis as { isLate?: true; hasRelay?: true };
const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
/** Names this relay where it comes to an open page; '' where it was there first. Firefox brings it to open pages itself. */
const late = world.isLate || navigation?.domInteractive ? `${Math.random()}` : '';
/** How often it still has to hear its own inquiry. */
let turns = 2;
const inquire = () => tellPage({ channel: CHANNEL, to: 'wallets', beside: late });

const ended = new AbortController();
const { signal } = ended;
/** What was heard and not handed on yet. */
let kept: Heard[] = [];
/** What a person did here last. */
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

/**
 * Loads the rest. Not in a page that was loaded ahead and that nobody has seen yet: what it asks for waits until it is
 * shown (WICG, "Prerendering Revamped").
 */
async function load(): Promise<void> {
  if (isLoading || (document as Document & { prerendering?: boolean }).prerendering) return;
  isLoading = true;
  try {
    const url = chrome.runtime.getURL(REQUESTS_SCRIPT);
    const { beginRequests: begin } = (await import(/* @vite-ignore */ url)) as { beginRequests: typeof beginRequests };
    handOn = begin(ended, hand);
  } catch {
    // The extension was updated or removed: this script can no longer reach it.
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

// A page in a sandbox without an origin of its own has no name that a person could be shown. Its address has one all
// the same: the site that it was loaded from, in whose name it must not speak. An empty frame has no address.
if (window.origin !== 'null' && origin !== 'null' && !(world.isLate && world.hasRelay)) {
  world.hasRelay = true;
  const listen = <E extends Event>(where: EventTarget, event: string, heard: (event: E) => void) =>
    where.addEventListener(event, heard as (event: Event) => void, { signal, capture: true, passive: true });
  listen(window, 'message', ({ source, origin: from, data }: MessageEvent) => {
    if (source !== window || from !== origin || !data) return;
    if (late && turns && data.channel === CHANNEL && data.to === 'wallets') {
      // The page has another wallet.
      if (data.relay) return ended.abort();
      // Relays that were here first have answered an inquiry once it comes back a second time.
      if (data.beside === late) {
        turns -= 1;
        return turns ? inquire() : tellPresent();
      }
    }
    if (data.channel === CHANNEL ? data.to !== 'page' : data.type === XDM_TYPE && data.isInvocation)
      handOn({ data, act: hand.act, isActive: navigator.userActivation?.isActive });
  });
  // Notes a person's act. A key that is held down is one, however often it repeats.
  for (const act of ACTS)
    listen(window, act, ({ isTrusted, repeat }: KeyboardEvent) => {
      if (isTrusted && !repeat) hand.act = { at: performance.now(), isUsed: false };
    });
  listen(window, OFFER_EVENT, (event: CustomEvent<unknown>) => {
    // A button that offers nothing withdraws what it has offered, if it has.
    if (event.detail || isLoading || kept[0]) handOn({ element: event.composedPath()[0], detail: event.detail });
  });
  // Its button may have given the wallet up meanwhile.
  listen(document, 'prerenderingchange', () => {
    if (kept[0]) void load();
    tellPresent();
  });
  // What a page asked for before it was left, no person repeats when it is restored from the back/forward cache.
  listen(
    window,
    'pageshow',
    ({ persisted }: PageTransitionEvent) => persisted && kept.forEach((one) => (one.isActive = false)),
  );
  if (late) inquire();
  else tellPresent();
}
