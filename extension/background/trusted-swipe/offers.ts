/**
 * Offers of trusted swipes, from the button that a relay covers to the request that its page then sends. All of it is in
 * memory, and what the worker forgets is put before the user in a window: nothing here outlives the document that it is
 * for. Pure but for the clock and the random names that it is given.
 *
 * Four parties speak of an offer, each by a port that the browser identifies, and none is believed about another:
 *
 * 1. the relay of a page asks for an offer of what a button asks for, and gets its secret, which no page can read;
 * 2. the frame that the relay made gets the secret from it and shows it here: so this frame stands in that document;
 * 3. the frame reports the swipe; then the relay, being asked, that nothing about the host has changed before, during and
 *    after it;
 * 4. the page asks for the payment, as after any swipe. If it is exactly what the frame showed, the offer is used up.
 */
import { sameOptions } from '../prompts/same-options.ts';
import type { PaymentOptions } from '../../../protocol/payment.ts';
import { MOST_SWIPE_FRAMES } from '../../../protocol/wire.ts';
import type { TrustedSwipe } from '../payment/trusted-swipe.ts';

/** A page has so long to ask for what was swiped (milliseconds). */
const TICKET_LIFE_MS = 3000;
/** A plan is what the user sees for so long (milliseconds): then the frame shows a newer one. */
export const PLAN_LIFE_MS = 20_000;
/** What is shown stands so long before a swipe over it counts (milliseconds): time to read. */
const READING_MS = 500;

/** The document of a page, by the port of its relay. */
export interface Host {
  /** The relay's port: what a later request comes by. */
  client: object;
  tab: number;
  origin: string;
  /** Device pixels for a CSS pixel there. */
  scale: number;
}

/** What a button asks for, as its page says. */
export interface Asked {
  options: PaymentOptions;
  service: string | null;
}

interface Offer {
  id: string;
  secret: string;
  host: Host;
  asked: Asked;
  /** What the frame shows, since when, and when it was worked out. */
  plan: { swipe: TrustedSwipe; since: number; plannedAt: number } | null;
  /** The port of the frame that showed the secret. */
  frame: object | null;
  /** When its frame reported the swipe. */
  swipedAt: number | null;
  /** The relay has vouched for the host of the frame since. */
  isVouched: boolean;
  /** The plan that the hand began over. */
  held: TrustedSwipe | null;
  /** The plan that was swiped over. */
  shown: TrustedSwipe | null;
}

/** See the head of this file. */
export interface Offers {
  /** @returns the offer and its secret; null where the document has too many */
  make(host: Host, asked: Asked): { id: string; secret: string } | null;
  /** A frame shows a secret. @returns what it is to show, or null: no such offer, another tab, or shown before */
  bind(secret: string, frame: object, tab: number): { id: string; host: Host; asked: Asked } | null;
  /**
   * What the frame shows from now on; null where it cannot be paid as things are. The same as before has been there to
   * read since then.
   */
  plan(frame: object, swipe: TrustedSwipe | null): void;
  /** A hand has taken hold of the thumb in the frame; or it was no swipe after all. */
  began(frame: object): void;
  letGo(frame: object): void;
  /**
   * The frame saw that hand's whole swipe.
   * @returns whether it counts, once its relay has vouched for the frame as well; if not, the offer is over
   */
  swiped(frame: object): boolean;
  /** The relay saw nothing change about the host, and says so when it is asked. @returns whether that makes it a ticket */
  intact(client: object, id: string): boolean;
  /** What a request was swiped over, and by which offer: once, and only if it is that. */
  take(client: object, asked: Asked): { id: string; swipe: TrustedSwipe } | null;
  /** The relay takes its frame away, or has seen something that it should not. */
  end(client: object, id: string): void;
  /** A relay's or a frame's port is closed: its offers are over, but for what was swiped already. */
  gone(port: object): void;
}

/** @param now milliseconds since 1970 */
export function createOffers(randomId: () => string, now: () => number): Offers {
  const offers = new Map<string, Offer>();
  const ofFrame = (frame: object) => [...offers.values()].find((one) => one.frame === frame);
  const isTicket = ({ swipedAt, isVouched }: Offer) => swipedAt !== null && isVouched;

  return {
    make(host, asked) {
      const own = [...offers.values()].filter((one) => one.host.client === host.client);
      if (own.filter((one) => !isTicket(one)).length >= MOST_SWIPE_FRAMES) return null;
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
      // What is there to read: the recipient is in what the button asks for, and its host may name another script each time.
      const isSame =
        before?.swipe.quote.satoshis === swipe.quote.satoshis && before.swipe.feeSatoshis === swipe.feeSatoshis;
      offer.plan = { swipe, since: isSame ? before.since : now(), plannedAt: now() };
    },

    began(frame) {
      const offer = ofFrame(frame);
      if (!offer) return;
      const { swipe, since, plannedAt } = offer.plan ?? { swipe: null, since: 0, plannedAt: 0 };
      // What came up under the hand was not read, and what is old may not be true any more.
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
