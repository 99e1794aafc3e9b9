/** The port of one frame that a relay has laid over a button: its content, and pointer events in it. */
import browser, { type Runtime } from 'webextension-polyfill';
import { frameMessage, type ToFrame } from '../../../protocol/swipe-messages.ts';
import { PAYMENT_HASH, SWIPE_PAGE } from '../../../protocol/wire.ts';
import { asksAnyway, planSwipe } from '../payment/plan-swipe.ts';
import { recipientOf } from '../recipients/resolve.ts';
import { readSettings } from '../settings.ts';
import { offers, receipts } from './current.ts';
import { PLAN_LIFE_MS, type Asked, type Host } from './offers.ts';
import type { Receipt } from './receipts.ts';
import { isReady, tellRelay } from './relays.ts';
import { viewOf } from './view.ts';

/** How often the plan is renewed (milliseconds): before it is too old to be swiped. */
const RENEW_MS = PLAN_LIFE_MS / 2;
/** Renewals end this long after the last sign of a pointer (milliseconds), so that the worker can stop. */
const TENDED_MS = 60_000;

/** The frame's page, in a frame of a visible page, as identified by the browser. */
function isSwipeFrame(
  sender: Runtime.MessageSender | undefined,
): sender is Runtime.MessageSender & { tab: { id: number } } {
  if (sender?.id !== browser.runtime.id || !sender.tab?.id || !sender.frameId) return false;
  const { documentLifecycle = 'active' } = sender as { documentLifecycle?: string };
  return documentLifecycle === 'active' && sender.url === `${browser.runtime.getURL('')}${SWIPE_PAGE}`;
}

/** True if planning needs no request to a host or service, which opening a page must not cause. */
async function isKnownHere({ options, service }: Asked): Promise<boolean> {
  if (recipientOf(options.outputs[0] ?? {}).type !== 'ADDRESS') return false;
  return service === null || service === new URL((await readSettings()).serviceUrl).origin;
}

/** Serves one port of a frame for as long as it is open. */
export function serveFrame(port: Runtime.Port): void {
  const { sender } = port;
  if (!isSwipeFrame(sender)) return port.disconnect();
  const tab = sender.tab.id;
  let isOpen = true;
  let bound: { id: string; host: Host; asked: Asked } | null = null;
  let receipt: Receipt | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [isHeld, isPlanning, isPlanned, asksNobody, tendedUntil] = [false, false, false, false, 0];

  const tell = (message: ToFrame) => {
    if (isOpen) port.postMessage(message);
  };

  function close(): void {
    isOpen = false;
    clearTimeout(timer);
    offers.gone(port);
  }

  /** The frame is useless now, and its relay removes it. */
  function end(): void {
    if (!isOpen) return;
    tell({ swipe: 'over' });
    close();
    port.disconnect();
    if (bound) tellRelay(bound.host.client, { swipe: 'over', id: bound.id });
    if (receipt) tellRelay(receipt.client, { swipe: 'paid-over', id: receipt.id });
  }

  /** Shows the current cost, and renews it while a pointer may come. A plan under the pointer stays unchanged. */
  async function plan(): Promise<void> {
    if (!bound || isPlanning) return;
    clearTimeout(timer);
    isPlanning = true;
    const { host, asked } = bound;
    try {
      if (!(await isReady(host.origin))) return end();
      // Too little money, no rate, an unknown recipient: the frame is shown all the same, and a swipe leads to the
      // window, which explains it. If it were removed, pages could probe the balance by their offers.
      const planned = await planSwipe({ ...asked, origin: host.origin }).catch(() => null);
      const view = await viewOf(asked, planned, await asksAnyway(host.origin, asked, planned));
      if (isOpen && !isHeld) {
        offers.plan(port, planned);
        isPlanned = true;
        tell({ swipe: 'show', view });
      }
    } finally {
      isPlanning = false;
    }
    // Only a pointer causes requests to hosts.
    if (asksNobody) timer = setTimeout(() => isOpen && isTended() && renew(), RENEW_MS);
  }

  const renew = () => void plan().catch(end);

  /** A time further ahead than it is ever set was set before the clock was put back. */
  const isTended = () => Date.now() < tendedUntil && tendedUntil - Date.now() <= TENDED_MS;

  /** A pointer may come soon. */
  function tend(): void {
    const isStale = !isTended() || Date.now() > tendedUntil - TENDED_MS + RENEW_MS;
    if (!isStale) return;
    tendedUntil = Date.now() + TENDED_MS;
    renew();
  }

  /** @param ancestors the origins around it, as the browser reported them to the frame; `scale` likewise */
  function bind(secret: string, ancestors: readonly string[], scale: number): void {
    if (bound || receipt) return end();
    receipt = receipts.take(secret, tab);
    if (receipt) return tell({ swipe: 'paid', view: receipt.view });
    bound = offers.bind(secret, port, tab);
    // A nested frame could be masked by the page around it. One of another scale than its page's is shrunk.
    if (!bound || scale !== bound.host.scale || ancestors.length !== 1 || ancestors[0] !== bound.host.origin)
      return end();
    void viewOf(bound.asked, null).then((view) => isPlanned || tell({ swipe: 'show', view }), end);
    const { asked } = bound;
    void isKnownHere(asked).then((isKnown) => {
      asksNobody = isKnown;
      if (isKnown && isOpen) tend();
    }, end);
  }

  function swiped(): void {
    isHeld = false;
    if (!bound) return;
    const { id, host } = bound;
    const counts = offers.swiped(port);
    // No swipe is wasted: without a plan that was read, a window opens.
    tellRelay(host.client, { swipe: counts ? 'vouch' : 'swiped', id });
  }

  /** Opens the wallet's own page of the payment in a tab: once. */
  function openDetails({ payment }: Receipt): void {
    void browser.tabs.create({ url: browser.runtime.getURL(`extension/popup/index.html${PAYMENT_HASH}${payment}`) });
    end();
  }

  port.onDisconnect.addListener(() => {
    const was = bound;
    close();
    if (was) tellRelay(was.host.client, { swipe: 'over', id: was.id });
  });
  port.onMessage.addListener((message: unknown) => {
    const parsed = frameMessage.safeParse(message);
    if (!parsed.success || !isOpen) return;
    const report = parsed.data;
    if (report.swipe === 'bind') return bind(report.secret, report.ancestors, report.scale);
    if (receipt && report.swipe === 'details') return openDetails(receipt);
    if (!bound || report.swipe === 'details') return end();
    if (report.swipe === 'near') tend();
    else if (report.swipe === 'swiped') swiped();
    else {
      isHeld = report.swipe === 'began';
      if (isHeld) offers.began(port);
      else offers.letGo(port);
    }
  });
}
