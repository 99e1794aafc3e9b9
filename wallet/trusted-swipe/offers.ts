/**
 * Tracks offers of trusted swipes, from the time a frame covers a button until its page requests the payment after the
 * swipe. Offers are kept in memory and don't outlive their document. If the worker stops, the request opens a window
 * instead. Pure, with the clock and random IDs passed in.
 *
 * The relay, the frame and the page are each identified by their port, and none is trusted to vouch for another:
 *
 * 1. The page's relay requests an offer for a button's request, and receives its secret, which no page can read.
 * 2. The relay passes the secret to the frame that it created. The frame presents it here, which proves that the frame
 *    is in that document.
 * 3. The frame reports the swipe. The relay then confirms on request that the host didn't change before, during or
 *    after the swipe.
 * 4. The page requests the payment, as after any swipe. If the frame showed exactly this payment, the offer is used up.
 */
import { part } from '../platform.ts';
import { sameOptions, randomId } from '../prompts/store.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { MAX_SWIPE_FRAMES } from '../../protocol/messages/wire.ts';
import type { TrustedSwipe } from '../payments/sources/page/trusted-swipe.ts';

/** Maximum time from the swipe to the page's request (milliseconds). */
const TICKET_LIFE_MS = 3000;
/** Lifetime of a plan (milliseconds), after which the frame shows a new one. */
export const PLAN_LIFE_MS = 20_000;
/** Minimum display time of a plan before a swipe counts (milliseconds), so the user can read it. */
const READING_MS = 500;

/** A page's document, identified by its relay's port. */
export interface Host {
  /** The relay's port, which also carries the page's requests. */
  client: object;
  tab: number;
  origin: string;
  /** Device pixels per CSS pixel in the document. */
  scale: number;
}

/** A button's request, as described by its page. */
export interface ButtonRequest {
  options: PaymentOptions;
  service: string | null;
}

interface Offer {
  id: string;
  secret: string;
  host: Host;
  asked: ButtonRequest;
  /** The plan shown by the frame, when it was first shown (`since`), and when it was last computed. */
  plan: { swipe: TrustedSwipe; since: number; plannedAt: number } | null;
  /** The port of the frame that presented the secret. */
  frame: object | null;
  swipedAt: number | null;
  /** True if the relay has confirmed after the swipe that the host didn't change. */
  isVouched: boolean;
  /** The plan shown when the pointer went down. */
  held: TrustedSwipe | null;
  shown: TrustedSwipe | null;
}

/** The offers of one run of the service worker. The file header describes the steps. */
export interface Offers {
  /** Creates an offer. @returns its ID and secret; null if the document has too many offers */
  make(host: Host, asked: ButtonRequest): { id: string; secret: string } | null;
  /**
   * Binds a frame to the offer with this secret, only once and only in the same tab.
   * @returns the content to show, or null
   */
  bind(secret: string, frame: object, tab: number): { id: string; host: Host; asked: ButtonRequest } | null;
  /**
   * Sets the plan that the frame shows; null if there is none. If the new plan looks the same, the reading time doesn't
   * restart.
   */
  plan(frame: object, swipe: TrustedSwipe | null): void;
  /** Records that the pointer went down on the frame's thumb. `letGo` records that the gesture wasn't a swipe. */
  began(frame: object): void;
  letGo(frame: object): void;
  /**
   * Records a complete swipe in the frame. Ends the offer if no plan was held.
   * @returns true if the swipe counts, provided that the relay confirms the frame
   */
  swiped(frame: object): boolean;
  /** Records the relay's confirmation that the host didn't change. @returns whether the offer can now pay a request */
  intact(client: object, id: string): boolean;
  /** Returns the swiped plan for a matching request, and its offer. Each plan is returned only once. */
  take(client: object, asked: ButtonRequest): { id: string; swipe: TrustedSwipe } | null;
  /** Ends an offer, because the relay removes its frame or has detected a violation. */
  end(client: object, id: string): void;
  /** Ends the offers of a closed port. A confirmed swipe outlives its frame, but not its relay. */
  gone(port: object): void;
}

/**
 * True if the frame shows both plans in the same way: the amounts, and the name of a recipient with a user ID, which the
 * page's service can change. Scripts aren't shown, and a host can return a different one each time.
 */
const looksSame = (one: TrustedSwipe, other: TrustedSwipe): boolean =>
  one.quote.satoshis === other.quote.satoshis &&
  one.feeSatoshis === other.feeSatoshis &&
  one.quote.outputs[0]?.host?.paymail === other.quote.outputs[0]?.host?.paymail;

/** @param now returns milliseconds since 1970 */
export function createOffers(randomId: () => string, now: () => number): Offers {
  const offers = new Map<string, Offer>();
  const ofFrame = (frame: object) => [...offers.values()].find((one) => one.frame === frame);
  const isTicket = ({ swipedAt, isVouched }: Offer) => swipedAt !== null && isVouched;

  return {
    make(host, asked) {
      const own = [...offers.values()].filter((one) => one.host.client === host.client);
      if (own.filter((one) => !isTicket(one)).length >= MAX_SWIPE_FRAMES) return null;
      const [id, secret] = [randomId(), randomId()];
      offers.set(id, {
        id,
        secret,
        host,
        asked,
        plan: null,
        frame: null,
        swipedAt: null,
        isVouched: false,
        held: null,
        shown: null,
      });
      return { id, secret };
    },

    bind(secret, frame, tab) {
      const offer = [...offers.values()].find((one) => one.secret === secret);
      if (!offer || offer.frame !== null || offer.host.tab !== tab || ofFrame(frame)) return null;
      offer.frame = frame;
      return { id: offer.id, host: offer.host, asked: offer.asked };
    },

    plan(frame, swipe) {
      const offer = ofFrame(frame);
      if (!offer) return;
      if (!swipe) {
        offer.plan = null;
        return;
      }
      const before = offer.plan;
      const since = before && looksSame(before.swipe, swipe) ? before.since : now();
      offer.plan = { swipe, since, plannedAt: now() };
    },

    began(frame) {
      const offer = ofFrame(frame);
      if (!offer) return;
      const { swipe, since, plannedAt } = offer.plan ?? { swipe: null, since: 0, plannedAt: 0 };
      // A plan that has just appeared can't have been read, and an old plan may be outdated.
      offer.held = swipe && now() - since >= READING_MS && Math.abs(now() - plannedAt) <= PLAN_LIFE_MS ? swipe : null;
    },

    letGo(frame) {
      const offer = ofFrame(frame);
      if (offer) offer.held = null;
    },

    swiped(frame) {
      const offer = ofFrame(frame);
      if (!offer || offer.swipedAt !== null) return false;
      if (!offer.held || offer.plan?.swipe !== offer.held) {
        offers.delete(offer.id);
        return false;
      }
      offer.swipedAt = now();
      offer.shown = offer.held;
      return true;
    },

    intact(client, id) {
      const offer = offers.get(id);
      if (offer?.host.client !== client || offer.swipedAt === null || offer.isVouched) return false;
      offer.isVouched = Math.abs(now() - offer.swipedAt) <= TICKET_LIFE_MS;
      if (!offer.isVouched) offers.delete(id);
      return offer.isVouched;
    },

    take(client, { options, service }) {
      for (const offer of offers.values()) {
        if (offer.host.client !== client || !isTicket(offer)) continue;
        const { id, asked, swipedAt, shown } = offer;
        if (Math.abs(now() - (swipedAt ?? 0)) > TICKET_LIFE_MS) offers.delete(id);
        else if (asked.service === service && sameOptions(asked.options, options)) {
          offers.delete(id);
          return shown && { id, swipe: shown };
        }
      }
      return null;
    },

    end(client, id) {
      const offer = offers.get(id);
      if (offer?.host.client === client && !isTicket(offer)) offers.delete(id);
    },

    gone(port) {
      for (const [id, offer] of offers)
        if (offer.host.client === port || (offer.frame === port && !isTicket(offer))) offers.delete(id);
    },
  };
}

export const offers = part((wallet) => createOffers(() => randomId(wallet), wallet.now));
