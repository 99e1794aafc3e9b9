/** Simulates pages and their relays, which reconnect when the worker is killed (extension/content/requests.ts). */
import type { FromRelay, ToRelay } from '../../protocol/messages/swipe-messages.ts';
import type { PageReply } from '../../protocol/messages/page-messages.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { CHANNEL, PAGE_PORT } from '../../protocol/messages/wire.ts';
import { inOrder, Port, type Browser } from './browser.ts';
import type { Deal } from './deals.ts';
import { SHOP } from './hosts.ts';
import type { Scheduler } from '../scheduler.ts';

/** Returns the payment that a page requests for a deal. */
export function optionsOf({ asked, to }: Deal): PaymentOptions {
  const price =
    'cents' in asked
      ? { amount: (asked.cents / 100).toFixed(2), currency: 'USD' }
      : { amount: (Number(asked.satoshis) / 1e8).toFixed(8), currency: 'BSV' };
  return { outputs: [{ to, ...price }] };
}

const RECONNECT_MS = 250;

interface Conversation {
  /** Identifies the page so that the user can leave it. */
  page: object;
  origin: string;
  message: object;
  /** Sent on the first connection instead of the message. */
  first?: object;
  left?: () => void;
  /** Receives messages about swipes. */
  onSwipe?: (message: ToRelay) => void;
}

export interface Relay {
  /** Sends a message from the relay itself. */
  say(message: FromRelay): void;
  /** Sends the page's message if it hasn't been sent yet. */
  sendMessage(): void;
}

/** The tab ID of all pages. */
export const TAB = 5;

/** All open pages. Each page sends only one message. */
export class Pages {
  readonly #scheduler: Scheduler;
  readonly #open = new Map<object, () => void>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /**
   * Sends a payment request. Resends the request whenever the worker is killed, until there is a response or the user
   * leaves the page.
   * @param more the relay's first message and its listener for swipes
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

  /**
   * Sends a page's message. Resends the message whenever the worker is killed, until there is a response or the user
   * leaves the page.
   */
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

  leaveAll(): void {
    for (const leave of [...this.#open.values()]) leave();
  }
}
