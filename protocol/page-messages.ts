/**
 * What travels between a page's script, the relay in its frame and the wallet. The page can forge every byte of its
 * side: each border checks the shape again, and the origin is never in a message.
 *
 * Page to relay, by `window.postMessage` to the page's own origin: {@link PageRequest}.
 * Relay to page, the same way: {@link PageReply}, or {@link WALLET_PRESENT} when the relay starts.
 * Relay to wallet and back, by a runtime port named {@link PAGE_PORT}: the same request and reply.
 */
import * as z from 'zod/mini';
import type { WireError } from './errors.ts';
import { paymentOptions, requestId, type Payment } from './payment.ts';

/** Marks our messages among a page's own. Its value is the version of this protocol. */
export const CHANNEL = 'service-button/1';
/** Name of the runtime port between relay and wallet. */
export const PAGE_PORT = 'page';
/** Largest request, in characters of its JSON: 99,000 control characters take six each. */
export const MAX_REQUEST_LENGTH = 1_000_000;

/** The methods a page may call: what goes in. */
export const pageMethods = {
  /** Is a wallet there, and on which network? Opens nothing and tells nothing about the user. */
  'wallet/hello': z.strictObject({}),
  /** Pay. The same `id` from the same origin is the same payment, however often it is asked for. */
  'payment/request': z.strictObject({ id: requestId, options: paymentOptions }),
} as const;

/** The name of a method a page may call. */
export type PageMethod = keyof typeof pageMethods;
/** What goes into a page method. */
export type PageParams<M extends PageMethod> = z.infer<(typeof pageMethods)[M]>;

/** What comes out of each page method. */
export interface PageResults {
  'wallet/hello': { version: string; network: string };
  'payment/request': { payment: Payment };
}

/** A request as the page posts it and the relay forwards it. `id` pairs it with its reply. */
export interface PageRequest<M extends PageMethod = PageMethod> {
  channel: typeof CHANNEL;
  to: 'wallet';
  id: string;
  method: M;
  params: PageParams<M>;
}

/** The answer: exactly one of `result` and `error`. */
export interface PageReply<M extends PageMethod = PageMethod> {
  channel: typeof CHANNEL;
  to: 'page';
  id: string;
  result?: PageResults[M];
  error?: WireError;
}

/** What the relay says of its own accord once it runs in a frame, so that a button that found no wallet looks again. */
export const WALLET_PRESENT = { channel: CHANNEL, to: 'page', event: 'wallet-present' } as const;
