/**
 * Simulates one-swipe payments: pages whose relay places the wallet's own frame over a button, and the user's swipes.
 */
import type { SwipeView, ToFrame, ToRelay } from '../../protocol/messages/swipe-messages.ts';
import { SWIPE_PAGE, SWIPE_PORT } from '../../protocol/messages/wire.ts';
import type { Random } from '../random.ts';
import type { Scheduler } from '../scheduler.ts';
import { inOrder, Port, type Browser } from './browser.ts';
import type { Deal } from './deals.ts';
import { SHOP } from './hosts.ts';
import { optionsOf, TAB, type Pages, type Relay } from './pages.ts';

/** How long users wait for the frame before they swipe on the page's own track (milliseconds). */
const PATIENCE_MS = 4000;

interface Surroundings {
  readonly browser: Browser;
  readonly pages: Pages;
  readonly random: Random;
  readonly scheduler: Scheduler;
  sleep(ms: number): Promise<void>;
}

export class Swipes {
  readonly #world: Surroundings;

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** Starts a swipe over a button: in the wallet's frame or, if it doesn't appear, on the page's own track. */
  start(deal: Deal): void {
    const { browser, pages } = this.#world;
    const first = {
      swipe: 'offer',
      button: 1,
      options: optionsOf(deal),
      scale: 1,
      ...(deal.isOfShop && { service: SHOP }),
    };
    const onSwipe = (message: ToRelay) => {
      if (message.swipe === 'offered') this.#frame(browser, deal, message);
      else if (message.swipe === 'vouch') relay.say({ swipe: 'intact', id: message.id });
      else if (message.swipe !== 'on' && message.swipe !== 'paid') relay.sendMessage();
    };
    const relay: Relay = pages.request(browser, deal, true, { first, onSwipe });
    void this.#world.sleep(PATIENCE_MS).then(() => relay.sendMessage());
  }

  /** Simulates the frame over the button. The user reads the frame, then swipes. */
  #frame(browser: Browser, deal: Deal, { secret }: { secret: string }): void {
    const { random, scheduler } = this.#world;
    const sleep = (ms: number) => this.#world.sleep(ms);
    let shown: SwipeView | null = null;
    let isHeld = false;
    const swipe = async () => {
      await sleep(random.between(400, 2500));
      isHeld = true;
      browser.post(port, { swipe: 'began' });
      await sleep(random.between(80, 900));
      const { opensWindow, totalSatoshis, feeSatoshis } = shown as SwipeView;
      if (!browser.post(port, { swipe: 'swiped' }) || opensWindow || totalSatoshis === null) return;
      const [total, fee] = [BigInt(totalSatoshis), BigInt(feeSatoshis ?? '0')];
      deal.shown = { satoshis: total - fee, fee, total };
      deal.yes = 'said';
      deal.isSwiped = true;
    };
    const hear = (message: ToFrame) => {
      if (message.swipe !== 'show' || isHeld) return;
      const isFirst = shown === null;
      shown = message.view;
      if (isFirst) void swipe();
    };
    const { id, root } = browser.browser;
    const port = new Port(
      SWIPE_PORT,
      { id, url: `${root}${SWIPE_PAGE}`, frameId: 3, tab: { id: TAB } },
      inOrder(scheduler, 'frame hears', hear),
      () => undefined,
    );
    browser.connect(port, { swipe: 'bind', secret, ancestors: [deal.origin], scale: 1 });
  }
}
