/**
 * What the wallet, a relay and the frame that it lays over a button say to each other about trusted swipes. None of it
 * passes through the page, and no page method leads here: a relay forwards what its page posts as requests with an `id`, and
 * these messages have none.
 *
 * 1. The relay asks with `offer` for a button that can be swiped and is in view, and gets `offered`, `refused` or `off`.
 * 2. It makes the frame, and hands it the secret when it has loaded ({@link ToSwipeFrame}); the frame binds itself by it.
 * 3. A hand swipes in the frame: `swiped`. The wallet asks the relay to `vouch` for the host; it answers `intact`, or `end`.
 * 4. The wallet has the relay start the page's own request: `swiped`. Paid without a window or not, the page does the same.
 * 5. If the swipe alone has paid: `paid`. The relay makes another frame over the button for a while, which binds itself likewise, and
 *    shows whom it paid how much. Its `details` open the wallet's own page of that payment.
 */
import * as z from 'zod/mini';
import { paymentOptions } from './payment.ts';
import type { Settings } from './wallet-messages.ts';

const name = z.string().check(z.regex(/^[0-9a-f]{32}$/));

/** From a relay, on its own port. `button` is its own number for what a button of its page asks for: never used again. */
export const relayMessage = z.discriminatedUnion('swipe', [
  /** A button could be swiped soon. What it asks for is the page's word. */
  z.strictObject({
    swipe: z.literal('offer'),
    button: z.number().check(z.int(), z.minimum(0)),
    options: paymentOptions,
    service: z.optional(z.string().check(z.maxLength(300))),
    /** Device pixels for a CSS pixel in the relay's own document, which no style of the page can change. */
    scale: z.number(),
  }),
  /** The answer to `vouch`: the host of the frame is as it was made, and was so before and during the swipe. */
  z.strictObject({ swipe: z.literal('intact'), id: name }),
  /**
   * The frame is taken away, for whatever reason. As the answer to `vouch`: something about the host was not as it should
   * be. The relay then has the page ask for the payment all the same, and a window decides.
   */
  z.strictObject({ swipe: z.literal('end'), id: name }),
]);

/** See {@link relayMessage}. */
export type FromRelay = z.infer<typeof relayMessage>;

/** To a relay. */
export type ToRelay =
  /** It may lay a frame over that button, and hand the secret to it. */
  | { swipe: 'offered'; button: number; id: string; secret: string }
  /** This one takes a window, whatever happens: it is not to be offered again. */
  | { swipe: 'refused'; button: number }
  /** Nothing is swiped in this document now: off, locked, not set up, blocked. All frames go; `on` may follow. */
  | { swipe: 'off' }
  /** After `off`: buttons may be offered again. */
  | { swipe: 'on' }
  /** A person has swiped in the frame: is its host as it was made? */
  | { swipe: 'vouch'; id: string }
  /**
   * A person has swiped in the frame: the page now asks for the payment, as after a swipe of its own. Whether that opens
   * a window, the wallet finds when it is asked: this comes also where the swipe may not pay, so that the hand never
   * swipes in vain.
   */
  | { swipe: 'swiped'; id: string }
  /**
   * The swipe of that offer has paid, without a window: a frame may say so over its button, for a while. `secret` is handed to
   * that frame.
   */
  | { swipe: 'paid'; id: string; secret: string }
  /**
   * That frame is of no use any more. Not `over`: the frame that was swiped in is gone, too, and may say so only after the swipe
   * has paid.
   */
  | { swipe: 'paid-over'; id: string }
  /** The frame is of no use any more: the relay takes it away, and does not offer that button again. */
  | { swipe: 'over'; id: string };

/** From the frame. */
export const frameMessage = z.discriminatedUnion('swipe', [
  /** First: the secret that it was handed, and the origins around it, nearest first, as the browser reports them. */
  z.strictObject({
    swipe: z.literal('bind'),
    secret: name,
    /** Exactly one: the relay's document is the tab's own. What masks a frame around it, nobody in it sees. */
    ancestors: z.array(z.string().check(z.maxLength(2000))).check(z.minLength(1), z.maxLength(50)),
    /** Device pixels for a CSS pixel. */
    scale: z.number(),
  }),
  /** A hand has come near: now hosts of recipients may be asked. */
  z.strictObject({ swipe: z.literal('near') }),
  /** A hand holds the thumb, or has let go of it before the end. */
  z.strictObject({ swipe: z.literal('began') }),
  z.strictObject({ swipe: z.literal('let-go') }),
  z.strictObject({ swipe: z.literal('swiped') }),
  /** In a frame that shows what was paid: the user wants to see the payment in the wallet. */
  z.strictObject({ swipe: z.literal('details') }),
]);

/** What the frame draws. Amounts as text; everything is the wallet's own reading of what the page asked for. */
export interface SwipeView {
  /** The recipient as named, and its kind. */
  to: string;
  kind: 'ADDRESS' | 'PAYMAIL' | 'USER';
  /** As the page asked: decimal text in `currency`. */
  amount: string;
  currency: string;
  /** What leaves the wallet with the fee, in satoshis; null until the payment is planned. */
  totalSatoshis: string | null;
  feeSatoshis: string | null;
  /** A window will ask all the same: it is above the user's limits, say, or cannot be paid now. */
  opensWindow: boolean;
  /** What one BSV costs in the user's own currency; null where that is not sure. */
  own: { currency: string; price: string } | null;
  language: Settings['language'];
}

/** To the frame. */
export type ToFrame =
  | { swipe: 'show'; view: SwipeView }
  /** To a frame that is there for this alone. */
  | { swipe: 'paid'; view: SwipeView }
  | { swipe: 'over' };

/**
 * What the page's styles have made of the button that the frame covers: the frame looks like it. All of it is the page's
 * word, so the frame takes what it can read as that and keeps colours within its limits of contrast. Lengths are
 * numbers of CSS pixels as drawn, whatever transforms stand around the button; colours are computed values, such as
 * `rgb(11, 107, 105)` or `oklch(…)`. No text is longer than MAX_LOOK_TEXT. The size is the frame's own window's.
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
  /** The amount; the small line, and a label that is a hint. */
  ink: string;
  muted: string;
  /** The fill behind the thumb, and the drawing on it; the thumb. */
  accent: string;
  paper: string;
}

/**
 * From the relay to the frame that it made, once, when that has loaded: by `postMessage` to the extension's own origin,
 * with one end of a channel that nobody else hears. `event.source` is the frame's parent.
 */
export interface ToSwipeFrame {
  secret: string;
  look: SwipeLook;
}

/** On that channel, from the relay: the button looks different now. */
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

/** On that channel, from the frame: it has drawn itself. Until then it is transparent, and no pointer reaches it. */
export interface SwipeFrameDrawn {
  drawn: true;
}

/**
 * On that channel, from the frame: later beats repeat this number, which is higher each time. Beats that were sent
 * before can still be waiting in the frame's queue.
 */
export interface SwipeBeatsAsked {
  asked: number;
}
