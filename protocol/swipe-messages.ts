/**
 * What the wallet, a relay and the frame that it lays over a button say to each other about trusted swipes. None of it
 * passes through the page, and no page method leads here: a relay forwards what its page posts as requests with an `id`, and
 * these messages have none.
 */
import * as z from 'zod/mini';
import { paymentOptions } from './payment.ts';

/** Name of the runtime port between the frame and the wallet. */
export const SWIPE_PORT = 'swipe';

const name = z.string().check(z.regex(/^[0-9a-f]{32}$/));

/** From a relay, on its own port. `button` is its own number for a button of its page. */
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
  /** The host of the frame is as it was made: before, during and after the swipe. */
  z.strictObject({ swipe: z.literal('intact'), id: name }),
  /** The frame is taken away. */
  z.strictObject({ swipe: z.literal('end'), id: name }),
]);

/** To a relay. */
export type ToRelay =
  /** It may lay a frame over that button, and hand the secret to it. */
  | { swipe: 'offered'; button: number; id: string; secret: string }
  /** A person has swiped: the page may now ask for it, as after a swipe of its own. */
  | { swipe: 'swiped'; id: string }
  /** The frame is of no use any more. */
  | { swipe: 'over'; id: string };

/** From the frame. */
export const frameMessage = z.discriminatedUnion('swipe', [
  /** First: the secret that it was handed, and the origins around it, nearest first, as the browser reports them. */
  z.strictObject({
    swipe: z.literal('bind'),
    secret: name,
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
  /** What one BSV costs in the user's own currency; null where that is not sure. */
  own: { currency: string; price: string } | null;
  theme: 'system' | 'light' | 'dark';
  language: string;
}

/** To the frame. */
export type ToFrame = { swipe: 'show'; view: SwipeView } | { swipe: 'over' };
