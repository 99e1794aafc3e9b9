/**
 * Serves the port of a frame that a relay has placed over a button: supplies the frame's content, and handles its
 * pointer events.
 */
import type { Runtime } from 'webextension-polyfill';
import { frameMessage, type ToFrame } from '../../protocol/messages/swipe-messages.ts';
import { PAYMENT_HASH, SWIPE_PAGE } from '../../protocol/messages/wire.ts';
import { promptsAnyway, planSwipe } from '../payments/sources/page/plan-swipe.ts';
import { recipientOf } from '../recipients/resolve.ts';
import { readSettings } from '../settings.ts';
import { offers, PLAN_LIFE_MS, type ButtonRequest, type Host } from './offers.ts';
import { receipts, type Receipt } from './receipts.ts';
import { isReady, notifyRelay } from './relays.ts';
import { viewOf } from './view.ts';
import type { Timer, Wallet } from '../platform.ts';

/** Interval between plan renewals (milliseconds), so the displayed plan is never too old for a swipe. */
const RENEW_MS = PLAN_LIFE_MS / 2;
/** Time after the last pointer event when renewals stop (milliseconds), so the worker can stop. */
const TENDED_MS = 60_000;

/** True if the browser identifies the sender as the wallet's swipe page, in a frame of an active document. */
function isSwipeFrame(
  wallet: Wallet,
  sender: Runtime.MessageSender | undefined,
): sender is Runtime.MessageSender & { tab: { id: number } } {
  if (sender?.id !== wallet.runtime.id || !sender.tab?.id || !sender.frameId) return false;
  const { documentLifecycle = 'active' } = sender as { documentLifecycle?: string };
  return documentLifecycle === 'active' && sender.url === `${wallet.runtime.getURL('')}${SWIPE_PAGE}`;
}

/** True if planning needs no request to a host or service. Opening a page must not cause such a request. */
async function isKnownHere(wallet: Wallet, { options, service }: ButtonRequest): Promise<boolean> {
  if (recipientOf(options.outputs[0] ?? {}).type !== 'ADDRESS') return false;
  return service === null || service === new URL((await readSettings(wallet)).serviceUrl).origin;
}

/** Serves one port of a frame while it is open. */
export function serveFrame(wallet: Wallet, port: Runtime.Port): void {
  const { sender } = port;
  if (!isSwipeFrame(wallet, sender)) return port.disconnect();
  const tab = sender.tab.id;
  let isOpen = true;
  let bound: { id: string; host: Host; asked: ButtonRequest } | null = null;
  let receipt: Receipt | null = null;
  let timer: Timer | undefined;
  let [isHeld, isPlanning, isPlanned, promptsNobody, tendedUntil] = [false, false, false, false, 0];

  const tell = (message: ToFrame) => {
    if (isOpen) port.postMessage(message);
  };

  function close(): void {
    isOpen = false;
    wallet.clearTimeout(timer);
    offers(wallet).gone(port);
  }

  /** Ends the frame, and notifies its relay, which removes it. */
  function end(): void {
    if (!isOpen) return;
    tell({ swipe: 'over' });
    close();
    port.disconnect();
    if (bound) notifyRelay(wallet, bound.host.client, { swipe: 'over', id: bound.id });
    if (receipt) notifyRelay(wallet, receipt.client, { swipe: 'paid-over', id: receipt.id });
  }

  /** Shows the current cost, and updates it while a pointer may be near. A plan doesn't change during a swipe. */
  async function plan(): Promise<void> {
    if (!bound || isPlanning) return;
    wallet.clearTimeout(timer);
    isPlanning = true;
    const { host, asked } = bound;
    try {
      if (!(await isReady(wallet, host.origin))) return end();
      // The frame is shown even if money, a rate or a known recipient is missing, because pages could otherwise use
      // offers to find out the balance. A swipe then opens the approval window, which explains the problem.
      const planned = await planSwipe(wallet, { ...asked, origin: host.origin }).catch(() => null);
      const opensWindow = await promptsAnyway(wallet, host.origin, asked, planned);
      const view = await viewOf(wallet, asked, planned, opensWindow);
      if (isOpen && !isHeld) {
        // If the frame announces a window, a swipe must open one, even if the limits have changed since.
        offers(wallet).plan(port, opensWindow ? null : planned);
        isPlanned = true;
        tell({ swipe: 'show', view });
      }
    } finally {
      isPlanning = false;
    }
    // Automatic renewals never query hosts. Only pointer events can cause such queries.
    if (promptsNobody) timer = wallet.setTimeout(() => isOpen && isTended() && renew(), RENEW_MS);
  }

  const renew = () => void plan().catch(end);

  /** True if there was a recent pointer event. A time too far ahead was stored before the clock was set back. */
  const isTended = () => wallet.now() < tendedUntil && tendedUntil - wallet.now() <= TENDED_MS;

  /** Records a pointer event, and renews a stale plan. */
  function tend(): void {
    const isStale = !isTended() || wallet.now() > tendedUntil - TENDED_MS + RENEW_MS;
    if (!isStale) return;
    tendedUntil = wallet.now() + TENDED_MS;
    renew();
  }

  /**
   * Binds the frame to the receipt or offer that a secret identifies.
   * @param ancestors origins of the embedding pages, reported by the browser
   * @param scale pixel ratio, reported by the browser
   */
  function bind(secret: string, ancestors: readonly string[], scale: number): void {
    if (bound || receipt) return end();
    receipt = receipts(wallet).take(secret, tab);
    if (receipt) return tell({ swipe: 'paid', view: receipt.view });
    bound = offers(wallet).bind(secret, port, tab);
    // The frame must be directly in the page, because the page could mask a nested frame. If its scale differs from the
    // page's, it was resized.
    if (!bound || scale !== bound.host.scale || ancestors.length !== 1 || ancestors[0] !== bound.host.origin)
      return end();
    void viewOf(wallet, bound.asked, null).then((view) => isPlanned || tell({ swipe: 'show', view }), end);
    const { asked } = bound;
    void isKnownHere(wallet, asked).then((isKnown) => {
      promptsNobody = isKnown;
      if (isKnown && isOpen) tend();
    }, end);
  }

  function swiped(): void {
    isHeld = false;
    if (!bound) return;
    const { id, host } = bound;
    const counts = offers(wallet).swiped(port);
    // If the user had too little time to read the plan, the swipe opens a window.
    notifyRelay(wallet, host.client, { swipe: counts ? 'vouch' : 'swiped', id });
  }

  /** Opens the payment's details in a new tab, and ends the frame to prevent a second tab. */
  function openDetails({ payment }: Receipt): void {
    void wallet.tabs.create({ url: wallet.runtime.getURL(`extension/popup/index.html${PAYMENT_HASH}${payment}`) });
    end();
  }

  port.onDisconnect.addListener(() => {
    const was = bound;
    close();
    if (was) notifyRelay(wallet, was.host.client, { swipe: 'over', id: was.id });
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
      if (isHeld) offers(wallet).began(port);
      else offers(wallet).letGo(port);
    }
  });
}
