/**
 * Messages about trusted swipes between the wallet, a relay and the overlay frame that the relay puts over a button.
 * Pages can't send these messages: the relay wraps everything that a page sends in a request, and these schemas reject
 * requests.
 * 1. The relay sends `offer` for a button that is in view and can be swiped, and receives `offered`, `refused` or
 *    `off`.
 * 2. The relay creates the frame and sends it the secret ({@link ToSwipeFrame}), which the frame uses to register with
 *    the wallet.
 * 3. The user swipes in the frame, which sends `swiped`. The wallet asks the relay to `vouch` for the frame's host
 *    element. The relay replies with `intact` or `end`.
 * 4. The wallet sends `swiped`, and the relay makes the page start its own request.
 * 5. If the swipe was sufficient to pay, the wallet sends `paid`. A new frame covers the button for a while, registers
 *    in the same way, and shows the recipient and the amount. Its `details` message opens the payment in the wallet.
 */
import * as z from 'zod/mini';
import { paymentOptions } from '../payments/payment.ts';
import type { Settings } from './wallet-messages.ts';

const name = z.string().check(z.regex(/^[0-9a-f]{32}$/));

/**
 * Messages from a relay, sent on the relay's own port. `button` is the relay's number for a button's request. Numbers
 * are never reused.
 */
export const relayMessage = z.discriminatedUnion('swipe', [
  /** A button that might be swiped soon. The request comes from the page (unverified). */
  z.strictObject({
    swipe: z.literal('offer'),
    button: z.number().check(z.int(), z.minimum(0)),
    options: paymentOptions,
    service: z.optional(z.string().check(z.maxLength(300))),
    /** Device pixels per CSS pixel in the relay's own document, which the page's styles can't change. */
    scale: z.number(),
  }),
  /** Response to `vouch`: the frame's host element hasn't changed since before the swipe. */
  z.strictObject({ swipe: z.literal('intact'), id: name }),
  /**
   * The frame was removed or, in response to `vouch`, the frame's host element has changed. The payment needs a window.
   */
  z.strictObject({ swipe: z.literal('end'), id: name }),
]);

export type FromRelay = z.infer<typeof relayMessage>;

export type ToRelay =
  /** A frame may cover that button. `secret` is for the frame. */
  | { swipe: 'offered'; button: number; id: string; secret: string }
  /** This request always needs a window and must not be offered again. */
  | { swipe: 'refused'; button: number }
  /** Swipes are unavailable in this document (off, locked, not set up, blocked), so all frames are removed. */
  | { swipe: 'off' }
  /** After `off`: buttons may be offered again. */
  | { swipe: 'on' }
  /** The user swiped in the frame. The relay must check the frame's host element. */
  | { swipe: 'vouch'; id: string }
  /**
   * The user swiped in the frame, so the page must request the payment as if its own track had been swiped. Also sent
   * if the swipe isn't sufficient to pay, so every swipe has an effect.
   */
  | { swipe: 'swiped'; id: string }
  /** The swipe for that offer made the payment. A frame with `secret` may show a receipt for a while. */
  | { swipe: 'paid'; id: string; secret: string }
  /**
   * The receipt's frame is obsolete, and the relay removes it. Unlike `over`, `paid-over` doesn't affect the frame for
   * swipes.
   */
  | { swipe: 'paid-over'; id: string }
  /** The frame is obsolete. The relay removes the frame and doesn't offer that button again. */
  | { swipe: 'over'; id: string };

export const frameMessage = z.discriminatedUnion('swipe', [
  /** The first message: the frame's secret and ancestor origins as reported by the browser, nearest first. */
  z.strictObject({
    swipe: z.literal('bind'),
    secret: name,
    /**
     * Swipes require exactly one ancestor, because the relay's document must be the tab's top document. A page in a
     * frame could be masked.
     */
    ancestors: z.array(z.string().check(z.maxLength(2000))).check(z.minLength(1), z.maxLength(50)),
    /** Device pixels per CSS pixel. */
    scale: z.number(),
  }),
  /** The pointer is near, so the wallet may query recipients' hosts. */
  z.strictObject({ swipe: z.literal('near') }),
  /** The pointer holds the thumb, or has released it before the end of the track. */
  z.strictObject({ swipe: z.literal('began') }),
  z.strictObject({ swipe: z.literal('let-go') }),
  z.strictObject({ swipe: z.literal('swiped') }),
  /** The user wants to open the payment in the wallet. Sent only by a frame that shows the paid amount. */
  z.strictObject({ swipe: z.literal('details') }),
]);

/** The contents of the frame: the wallet's interpretation of the page's request. Amounts are decimal strings. */
export interface SwipeView {
  /** The recipient as named by the page, and its kind. */
  to: string;
  kind: 'ADDRESS' | 'PAYMAIL' | 'USER';
  /** The amount as requested by the page: a decimal string in `currency`. */
  amount: string;
  currency: string;
  /** The total including the network fee, in satoshis. Null until the wallet has planned the payment. */
  totalSatoshis: string | null;
  feeSatoshis: string | null;
  /** True if a window will follow, for example because the payment exceeds the user's limits or isn't possible now. */
  opensWindow: boolean;
  /** The price of one BSV in the user's own currency. Null unless two sources of the price agree. */
  own: { currency: string; price: string } | null;
  language: Settings['language'];
}

export type ToFrame =
  | { swipe: 'show'; view: SwipeView }
  /** Sent to a receipt's frame, which only shows this payment. */
  | { swipe: 'paid'; view: SwipeView }
  | { swipe: 'over' };

/**
 * Styles of the button that the frame covers. The styles are unverified, so the frame uses only values that it can
 * parse, and ensures sufficient contrast. Lengths are in CSS pixels as drawn, after all CSS transforms. Colors are
 * computed values, such as `rgb(11, 107, 105)`. No string exceeds MAX_LOOK_TEXT.
 */
export interface SwipeLook {
  rightToLeft: boolean;
  /** True if the button is drawn in its colors for dark pages. */
  dark: boolean;
  radius: number;
  fontFamily: string;
  fontSize: number;
  fontWeight: number;
  track: string;
  outline: string;
  /** Color of the amount. */
  ink: string;
  /** Color of the small text and of default hints. */
  muted: string;
  /** Color of the fill and of the thumb's icon. */
  accent: string;
  /** Color of the thumb. */
  paper: string;
}

/**
 * Sent once from the relay to its frame, after the frame has loaded. Uses `postMessage` to the extension's own origin,
 * and transfers one end of a private channel.
 */
export interface ToSwipeFrame {
  secret: string;
  look: SwipeLook;
}

/** From the relay, on the private channel: the button's appearance has changed. */
export interface SwipeLookChanged {
  look: SwipeLook;
}

/** From the relay, on the private channel, in each of the page's animation frames. */
export interface SwipeHeartbeat {
  /** The latest {@link SwipeBeatsAsked} that the relay has received, 0 before the first. */
  beat: number;
  /** True if, since the previous beat, the frame has moved in the viewport, or the viewport has moved on the screen. */
  moved: boolean;
}

/** From the frame, on the private channel: the frame has been drawn. Until then, the frame ignores the pointer. */
export interface SwipeFrameDrawn {
  drawn: true;
}

/**
 * From the frame, on the private channel: an increasing number. Beats with a lower number were sent before this
 * message.
 */
export interface SwipeBeatsAsked {
  asked: number;
}
