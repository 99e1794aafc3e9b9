/**
 * Messages about trusted swipes between the wallet, a relay and the frame that it puts over a button. No page method
 * leads here: a relay forwards the page's messages as requests with an `id`, and these have none.
 * 1. The relay sends `offer` for a button that is in view and can be swiped, and gets `offered`, `refused` or `off`.
 * 2. It creates the frame, and sends it the secret ({@link ToSwipeFrame}), with which the frame registers.
 * 3. A user swipes in the frame: `swiped`. The wallet asks the relay to `vouch` for the host; it replies with `intact`,
 * or `end`.
 * 4. The wallet makes the relay start the page's own request: `swiped`.
 * 5. If the swipe was enough to pay: `paid`. Another frame covers the button for a while, registers in the same way,
 * and shows recipient and amount. Its `details` open that payment in the wallet.
 */
import * as z from 'zod/mini';
import { paymentOptions } from '../payments/payment.ts';
import type { Settings } from './wallet-messages.ts';

const name = z.string().check(z.regex(/^[0-9a-f]{32}$/));

/** From a relay, on its own port. `button` is the relay's own number of a button's request and is never reused. */
export const relayMessage = z.discriminatedUnion('swipe', [
  /** A button could be swiped soon. Its request comes from the page (unverified). */
  z.strictObject({
    swipe: z.literal('offer'),
    button: z.number().check(z.int(), z.minimum(0)),
    options: paymentOptions,
    service: z.optional(z.string().check(z.maxLength(300))),
    /** Device pixels per CSS pixel in the relay's own document, which no style of the page can change. */
    scale: z.number(),
  }),
  /** The response to `vouch`: the host of the frame is unchanged since before the swipe. */
  z.strictObject({ swipe: z.literal('intact'), id: name }),
  /** The frame is removed, or as response to `vouch`: the host was changed. A window then decides. */
  z.strictObject({ swipe: z.literal('end'), id: name }),
]);

export type FromRelay = z.infer<typeof relayMessage>;

export type ToRelay =
  /** A frame may cover that button, and gets the secret. */
  | { swipe: 'offered'; button: number; id: string; secret: string }
  /** This request always needs a window. It must not be offered again. */
  | { swipe: 'refused'; button: number }
  /** No swipes in this document now (off, locked, not set up, blocked), so all frames are removed. `on` may follow. */
  | { swipe: 'off' }
  /** After `off`: buttons may be offered again. */
  | { swipe: 'on' }
  /** A user has swiped in the frame. Is its host unchanged? */
  | { swipe: 'vouch'; id: string }
  /**
   * A user has swiped in the frame, so the page now requests the payment, as after a swipe on its own track. Also sent
   * if the swipe may not pay, so that no swipe is ignored.
   */
  | { swipe: 'swiped'; id: string }
  /** The swipe of that offer has paid. A frame with `secret` may show that for a while. */
  | { swipe: 'paid'; id: string; secret: string }
  /** That frame is obsolete. Unlike `over`, the swipe's frame is gone too, and only a receipt may follow. */
  | { swipe: 'paid-over'; id: string }
  /** The frame is obsolete: the relay removes it, and doesn't offer that button again. */
  | { swipe: 'over'; id: string };

export const frameMessage = z.discriminatedUnion('swipe', [
  /** The first message: its secret, and the origins around it, nearest first, as the browser reports them. */
  z.strictObject({
    swipe: z.literal('bind'),
    secret: name,
    /** Exactly one: the relay's document must be the tab's own, because an outer frame could be masked. */
    ancestors: z.array(z.string().check(z.maxLength(2000))).check(z.minLength(1), z.maxLength(50)),
    /** Device pixels per CSS pixel. */
    scale: z.number(),
  }),
  /** The pointer is near, so recipients' hosts may be queried. */
  z.strictObject({ swipe: z.literal('near') }),
  /** The pointer holds the thumb, or released it before the end. */
  z.strictObject({ swipe: z.literal('began') }),
  z.strictObject({ swipe: z.literal('let-go') }),
  z.strictObject({ swipe: z.literal('swiped') }),
  /** In a frame that shows the paid amount: the user wants to see the payment in the wallet. */
  z.strictObject({ swipe: z.literal('details') }),
]);

/** The contents of the frame. Amounts are text. Everything is the wallet's own interpretation of the page's request. */
export interface SwipeView {
  /** The recipient as named, and its kind. */
  to: string;
  kind: 'ADDRESS' | 'PAYMAIL' | 'USER';
  /** As requested by the page: decimal text in `currency`. */
  amount: string;
  currency: string;
  /** The total with the fee, in satoshis; null until the payment is planned. */
  totalSatoshis: string | null;
  feeSatoshis: string | null;
  /** A window will still follow, for example because the payment is above the user's limits or can't be made now. */
  opensWindow: boolean;
  /** The price of one BSV in the user's own currency; null if uncertain. */
  own: { currency: string; price: string } | null;
  language: Settings['language'];
}

export type ToFrame =
  | { swipe: 'show'; view: SwipeView }
  /** To a frame that only shows this. */
  | { swipe: 'paid'; view: SwipeView }
  | { swipe: 'over' };

/**
 * The styles of the button that the frame covers. They are unverified, so the frame uses only those it can parse,
 * within its limits of contrast. Lengths are CSS pixels as drawn, including transforms around the button; colors are
 * computed values, such as `rgb(11, 107, 105)`. No text exceeds MAX_LOOK_TEXT.
 */
export interface SwipeLook {
  rightToLeft: boolean;
  /** The button is drawn for a dark page. */
  dark: boolean;
  radius: number;
  fontFamily: string;
  fontSize: number;
  fontWeight: number;
  /** Background of the whole track, and its outline. */
  track: string;
  outline: string;
  /** Color of the amount, the small line, and a label that is a hint. */
  ink: string;
  muted: string;
  /** Color of the fill behind the thumb with its drawing, and of the thumb. */
  accent: string;
  paper: string;
}

/**
 * From the relay to its frame, once, after it has loaded: by `postMessage` to the extension's own origin, with one end
 * of a private channel.
 */
export interface ToSwipeFrame {
  secret: string;
  look: SwipeLook;
}

/** On that channel, from the relay: the button's appearance has changed. */
export interface SwipeLookChanged {
  look: SwipeLook;
}

/** On that channel, from the relay, with each animation frame of the page. */
export interface SwipeHeartbeat {
  /** The latest {@link SwipeBeatsAsked} that the relay has received; 0 before the first. */
  beat: number;
  /** Since the last beat, the frame has moved in the viewport, or the viewport on the screen. */
  moved: boolean;
}

/** From the frame, on that channel: it is drawn. Until then it is transparent and ignores the pointer. */
export interface SwipeFrameDrawn {
  drawn: true;
}

/** On that channel, from the frame: later beats repeat this increasing number. Older beats may still be queued. */
export interface SwipeBeatsAsked {
  asked: number;
}
