/**
 * Offers of trusted swipes, from the button that a relay covers to the request that its page then sends. All of it is in
 * memory, and what the worker forgets is put before the user in a window: nothing here outlives the document that it is
 * for. Pure but for the clock and the random names that it is given.
 *
 * Four parties speak of an offer, each by a port that the browser identifies, and none is believed about another:
 *
 * 1. the relay of a page asks for an offer of what a button asks for, and gets its secret, which no page can read;
 * 2. the frame that the relay made gets the secret from it and shows it here: so this frame stands in that document;
 * 3. the frame reports the swipe, and the relay that nothing about the host has changed before, during and after it;
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
  /** What the frame shows, and since when. */
  plan: { swipe: TrustedSwipe; since: number } | null;
  /** The port of the frame that showed the secret. */
  frame: object | null;
  /** What was reported of the swipe, and when: by the frame, and by the relay. */
  swipedAt: number | null;
  intactAt: number | null;
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
  /** What the frame shows from now on. */
  plan(frame: object, swipe: TrustedSwipe): void;
  /** A hand has taken hold of the thumb in the frame. */
  began(frame: object): void;
  /** The frame saw that hand's whole swipe. @returns the offer, once its relay has vouched as well */
  swiped(frame: object): string | null;
  /** The relay saw nothing change about the host. @returns the offer, once its frame has reported the swipe */
  intact(client: object, id: string): string | null;
  /** What a request was swiped over: once, and only if it is that. */
  take(client: object, asked: Asked): TrustedSwipe | null;
  /** The relay takes its frame away, or has seen something that it should not. */
  end(client: object, id: string): void;
  /** A relay's or a frame's port is closed: its offers are over, but for what was swiped already. */
  gone(port: object): void;
}

/** @param now milliseconds since 1970 */
export function createOffers(randomId: () => string, now: () => number): Offers {
  const offers = new Map<string, Offer>();
  const ofFrame = (frame: object) => [...offers.values()].find((one) => one.frame === frame);
  const isTicket = ({ swipedAt, intactAt }: Offer) => swipedAt !== null && intactAt !== null;

  /** Both have reported it, close together. */
  function ready(offer: Offer): string | null {
    const { id, swipedAt, intactAt } = offer;
    if (swipedAt === null || intactAt === null) return null;
    if (Math.abs(swipedAt - intactAt) <= TICKET_LIFE_MS) return id;
    offers.delete(id);
    return null;
  }

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
        intactAt: null,
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
      if (offer && offer.swipedAt === null) offer.plan = { swipe, since: now() };
    },

    began(frame) {
      const offer = ofFrame(frame);
      if (!offer || offer.swipedAt !== null) return;
      const { swipe, since } = offer.plan ?? { swipe: null, since: 0 };
      const age = now() - since;
      // What came up under the hand was not read, and what is old may not be true any more.
      offer.held = swipe && age >= READING_MS && age <= PLAN_LIFE_MS ? swipe : null;
    },

    swiped(frame) {
      const offer = ofFrame(frame);
      if (!offer?.held || offer.swipedAt !== null || offer.plan?.swipe !== offer.held) return null;
      offer.swipedAt = now();
      offer.shown = offer.held;
      return ready(offer);
    },

    intact(client, id) {
      const offer = offers.get(id);
      if (offer?.host.client !== client || offer.intactAt !== null) return null;
      offer.intactAt = now();
      return ready(offer);
    },

    take(client, { options, service }) {
      for (const offer of offers.values()) {
        if (offer.host.client !== client || !isTicket(offer)) continue;
        const { id, asked, swipedAt, shown } = offer;
        if (now() - (swipedAt ?? 0) > TICKET_LIFE_MS) offers.delete(id);
        else if (asked.service === service && sameOptions(asked.options, options)) {
          offers.delete(id);
          return shown;
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
