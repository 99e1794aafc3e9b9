/**
 * Pages of sites with their relays, which connect again whenever the worker has died (extension/content/requests.ts).
 */
import type { PageReply } from '../../protocol/messages/page-messages.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { CHANNEL, PAGE_PORT } from '../../protocol/messages/wire.ts';
import { Port, type Browser } from './browser.ts';
import type { Deal } from './deals.ts';
import { SHOP } from './hosts.ts';
import type { Scheduler } from '../scheduler.ts';

/** How long a relay waits before it connects again (milliseconds). */
const RECONNECT_MS = 250;

interface Conversation {
  /** Identifies the page, which can be left. */
  page: object;
  origin: string;
  message: object;
  left?: () => void;
}

/** All pages: each sends one message. */
export class Pages {
  readonly #scheduler: Scheduler;
  readonly #open = new Map<object, () => void>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Makes a page's request, which its relay repeats after the worker died, until a response or the page is left. */
  request(browser: Browser, deal: Deal, hand: boolean): void {
    const { asked } = deal;
    const output =
      'cents' in asked
        ? { to: deal.to, amount: (asked.cents / 100).toFixed(2), currency: 'USD' }
        : { to: deal.to, amount: (Number(asked.satoshis) / 1e8).toFixed(8), currency: 'BSV' };
    const options: PaymentOptions = { outputs: [output] };
    const message = {
      channel: CHANNEL,
      to: 'wallet',
      id: deal.requestId,
      method: 'payment/request',
      params: {
        id: deal.requestId,
        options,
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
    this.converse(browser, { page: deal, origin: deal.origin, message, left: () => (deal.isLeft = true) }, (reply) =>
      answered(reply as never),
    );
  }

  /** A page's relay sends a message, again whenever the worker has died, until it is answered or the page is left. */
  converse(
    browser: Browser,
    { page, origin, message, left = () => undefined }: Conversation,
    answered: (reply: PageReply) => void,
  ): void {
    const scheduler = this.#scheduler;
    let port: Port | null = null;
    let isOver = false;
    const end = () => {
      isOver = true;
      browser.onKill.delete(onKill);
      this.#open.delete(page);
    };
    const hear = (reply: PageReply) => {
      if (isOver) return;
      end();
      answered(reply);
    };
    const connect = () => {
      const sender = { id: browser.browser.id, origin, url: `${origin}/`, tab: { id: 5 }, frameId: 0 };
      const mine = new Port(
        PAGE_PORT,
        sender,
        (reply) => void scheduler.add('page hears', () => mine === port && hear(reply as never)),
        () => undefined,
      );
      port = mine;
      browser.connect(mine, message);
    };
    const onKill = () => {
      port = null;
      scheduler.add('relay', () => !isOver && connect(), { after: RECONNECT_MS });
    };
    browser.onKill.add(onKill);
    this.#open.set(page, () => {
      end();
      left();
      if (port) browser.leave(port);
    });
    connect();
  }

  leave(deal: Deal): void {
    this.#open.get(deal)?.();
  }

  /** Leaves all pages. */
  leaveAll(): void {
    for (const leave of [...this.#open.values()]) leave();
  }
}
