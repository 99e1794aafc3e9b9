/**
 * Offers of trusted swipes, from the button that a relay covers to the request that its page then sends. Everything is
 * in memory, and a request that the worker has forgotten opens a window. Nothing here outlives its document. Pure
 * except for the given clock and random names.
 *
 * Four parties take part, each identified by its port, and none is trusted about another:
 *
 * 1. the relay of a page requests an offer for a button's request, and gets its secret, which no page can read;
 * 2. the frame that the relay made gets the secret from it and presents it here, which proves that it is in that
 *   document;
 * 3. the frame reports the swipe. Then the relay confirms on request that nothing about the host has changed before,
 *   during and after it;
 * 4. the page requests the payment, as after any swipe. If it is exactly the one shown by the frame, the offer is used
 *   up.
 */
import { part } from '../platform.ts';
import { sameOptions, randomId } from '../prompts/store.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { MOST_SWIPE_FRAMES } from '../../protocol/messages/wire.ts';
import type { TrustedSwipe } from '../payments/sources/page/trusted-swipe.ts';

/** How long a page may take to send the swiped request (milliseconds). */
const TICKET_LIFE_MS = 3000;
/** How long a plan is shown (milliseconds). Then the frame shows a newer one. */
export const PLAN_LIFE_MS = 20_000;
/** How long a plan must have been shown before a swipe counts (milliseconds): time to read. */
const READING_MS = 500;

/** The document of a page, by the port of its relay. */
export interface Host {
  /** The relay's port, by which a later request comes. */
  client: object;
  tab: number;
  origin: string;
  /** Device pixels per CSS pixel there. */
  scale: number;
}

/** A button's request, as described by its page. */
export interface Asked {
  options: PaymentOptions;
  service: string | null;
}

interface Offer {
  id: string;
  secret: string;
  host: Host;
  asked: Asked;
  /** The plan shown by the frame, since when, and when it was computed. */
  plan: { swipe: TrustedSwipe; since: number; plannedAt: number } | null;
  /** The port of the frame that presented the secret. */
  frame: object | null;
  swipedAt: number | null;
  /** The relay has confirmed the frame's host since. */
  isVouched: boolean;
  /** The plan shown when the pointer went down. */
  held: TrustedSwipe | null;
  shown: TrustedSwipe | null;
}

/** See the head of this file. */
export interface Offers {
  /** @returns the offer and its secret; null if the document has too many */
  make(host: Host, asked: Asked): { id: string; secret: string } | null;
  /** A frame presents a secret. @returns the content to show, once and only in the same tab, or null */
  bind(secret: string, frame: object, tab: number): { id: string; host: Host; asked: Asked } | null;
  /** Sets the frame's shown plan; null if it can't be paid. An unchanged plan keeps its reading time. */
  plan(frame: object, swipe: TrustedSwipe | null): void;
  /** The pointer went down on the frame's thumb, or the gesture was not a swipe. */
  began(frame: object): void;
  letGo(frame: object): void;
  /**
   * The frame saw the complete swipe.
   * @returns whether it counts, once its relay has confirmed the frame as well. If not, the offer is over
   */
  swiped(frame: object): boolean;
  /** The relay confirms on request that nothing about the host changed. @returns whether that makes it a ticket */
  intact(client: object, id: string): boolean;
  /** The swiped plan for a request, and its offer: once, and only if it matches. */
  take(client: object, asked: Asked): { id: string; swipe: TrustedSwipe } | null;
  /** The relay removes its frame, or has detected a violation. */
  end(client: object, id: string): void;
  /** A relay's or a frame's port is closed, which ends its offers, except swiped ones. */
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
      // The readable content. The recipient is in the button's request, and its host may return another script each
      // time.
      const isSame =
        before?.swipe.quote.satoshis === swipe.quote.satoshis && before.swipe.feeSatoshis === swipe.feeSatoshis;
      offer.plan = { swipe, since: isSame ? before.since : now(), plannedAt: now() };
    },

    began(frame) {
      const offer = ofFrame(frame);
      if (!offer) return;
      const { swipe, since, plannedAt } = offer.plan ?? { swipe: null, since: 0, plannedAt: 0 };
      // A plan that appeared under the pointer was not read, and an old one may be outdated.
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

/** The offers of this run of the worker. */
export const offers = part((wallet) => createOffers(() => randomId(wallet), wallet.now));
