/**
 * Pages of sites with their relays, which connect again whenever the worker has died (extension/content/requests.ts).
 */
import type { FromRelay, ToRelay } from '../../protocol/messages/swipe-messages.ts';
import type { PageReply } from '../../protocol/messages/page-messages.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { CHANNEL, PAGE_PORT } from '../../protocol/messages/wire.ts';
import { inOrder, Port, type Browser } from './browser.ts';
import type { Deal } from './deals.ts';
import { SHOP } from './hosts.ts';
import type { Scheduler } from '../scheduler.ts';

/** The payment that a page requests. */
export function optionsOf({ asked, to }: Deal): PaymentOptions {
  const price =
    'cents' in asked
      ? { amount: (asked.cents / 100).toFixed(2), currency: 'USD' }
      : { amount: (Number(asked.satoshis) / 1e8).toFixed(8), currency: 'BSV' };
  return { outputs: [{ to, ...price }] };
}

/** How long a relay waits before it connects again (milliseconds). */
const RECONNECT_MS = 250;

interface Conversation {
  /** Identifies the page, which can be left. */
  page: object;
  origin: string;
  message: object;
  /** Sent before the message, at the first connection only. */
  first?: object;
  left?: () => void;
  /** Hears what concerns swipes. */
  onSwipe?: (message: ToRelay) => void;
}

/** A page's relay, after its connection. */
export interface Relay {
  /** Sends something of its own. */
  say(message: FromRelay): void;
  /** Sends the page's message after another one. */
  sendMessage(): void;
}

/** The tab of all pages. */
export const TAB = 5;

/** All pages: each sends one message. */
export class Pages {
  readonly #scheduler: Scheduler;
  readonly #open = new Map<object, () => void>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /**
   * Makes a page's request, which its relay repeats after the worker died, until a response or the page is left.
   * @param more what the relay does first
   */
  request(browser: Browser, deal: Deal, hand: boolean, more: Pick<Conversation, 'first' | 'onSwipe'> = {}): Relay {
    const message = {
      channel: CHANNEL,
      to: 'wallet',
      id: deal.requestId,
      method: 'payment/request',
      params: {
        id: deal.requestId,
        options: optionsOf(deal),
        ...(deal.automatic && { automatic: true }),
        ...(deal.isOfShop && { service: SHOP }),
      },
      userActivation: hand ? 'new' : 'none',
    };
    deal.answer = null;
    deal.isLeft = false;
    const answered = ({ result, error }: PageReply<'payment/request'>) => {
      deal.answer = error ? { error: error.code } : { txid: result?.payment?.txid ?? '' };
      if ('txid' in deal.answer) deal.txid = deal.answer.txid;
    };
    const left = () => (deal.isLeft = true);
    return this.converse(browser, { page: deal, origin: deal.origin, message, left, ...more }, (reply) =>
      answered(reply as never),
    );
  }

  /** A page's relay sends a message, again whenever the worker has died, until it is answered or the page is left. */
  converse(
    browser: Browser,
    { page, origin, message, first, left = () => undefined, onSwipe }: Conversation,
    answered: (reply: PageReply) => void,
  ): Relay {
    const scheduler = this.#scheduler;
    let port: Port | null = null;
    let [isOver, isSent] = [false, false];
    const end = () => {
      isOver = true;
      browser.onKill.delete(onKill);
      this.#open.delete(page);
    };
    const hear = (reply: PageReply | ToRelay) => {
      if (isOver) return;
      if ('swipe' in reply) return onSwipe?.(reply);
      end();
      answered(reply);
    };
    const connect = (next: object) => {
      const sender = { id: browser.browser.id, origin, url: `${origin}/`, tab: { id: TAB }, frameId: 0 };
      const mine = new Port(
        PAGE_PORT,
        sender,
        inOrder<PageReply | ToRelay>(scheduler, 'page hears', (reply) => mine === port && hear(reply)),
        () => undefined,
      );
      port = mine;
      isSent ||= next === message;
      browser.connect(mine, next);
    };
    const onKill = () => {
      port = null;
      scheduler.add('relay', () => !isOver && connect(message), { after: RECONNECT_MS });
    };
    browser.onKill.add(onKill);
    this.#open.set(page, () => {
      end();
      left();
      if (port) browser.leave(port);
    });
    connect(first ?? message);
    return {
      say: (next) => port && !isOver && browser.post(port, next),
      sendMessage: () => {
        if (!port || isOver || isSent) return;
        isSent = true;
        browser.post(port, message);
      },
    };
  }

  leave(deal: Deal): void {
    this.#open.get(deal)?.();
  }

  /** Leaves all pages. */
  leaveAll(): void {
    for (const leave of [...this.#open.values()]) leave();
  }
}
