/**
 * Messages between a page's script, the relay in its frame and the wallet. A page can forge any message, so every
 * recipient validates each message, and gets the page's origin from the browser.
 * - Page to relay, by `window.postMessage` to the page's own origin: {@link PageRequest}.
 * - Relay to page, also by `window.postMessage`: {@link PageReply}, or `{channel, to: 'page', event}` when the relay
 *   starts.
 * - Relay to other wallets' relays: `{channel, to: 'wallets', beside}` when it forwards its first request (also before
 *   it announces itself, if it was injected into an open page), and `{channel, to: 'wallets', relay}` before its first
 *   response. The first relay that sends `relay` serves the page, and the others stop. A wallet that isn't set up lets
 *   other wallets' relays respond first. A relay whose extension was updated or removed stops when it receives
 *   `beside`.
 * - Relay to wallet and back, through a runtime port named {@link PAGE_PORT}: the same request and reply.
 */
import * as z from 'zod/mini';
import { registration } from '../http/api.ts';
import type { Brc100ErrorForm } from '../brc100/errors.ts';
import type { PageError } from '../errors/service-error.ts';
import { MAX_AMOUNT, MAX_CALL_LENGTH, MAX_CLIENT_IDENTIFIER } from '../payments/limits.ts';
import { currencyCode, paymentOptions, requestId, type CryptoResult, type Payment } from '../payments/payment.ts';
import type { CHANNEL, USER_ACTIVATIONS, PAGE_METHODS } from './wire.ts';

const clientIdentifier = z.string().check(z.minLength(1), z.maxLength(MAX_CLIENT_IDENTIFIER));
const money = z.strictObject({
  amount: z.string().check(z.minLength(1), z.maxLength(MAX_AMOUNT)),
  currency: currencyCode,
});
export type Money = z.infer<typeof money>;

/**
 * The allowance that a page suggests and the user can change. `suggestedAmount` prefills the wallet's form.
 * `minimumAmount` is the smallest allowance that is useful to the page. 0 means "not set".
 */
const wantedAllowance = { suggestedAmount: z.optional(money), minimumAmount: z.optional(money) };

/** A time in ISO 8601, UTC. */
const moment = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/));

/** The methods that pages can call, with their parameters. */
export const pageMethods = {
  /** Checks for a wallet, and returns its network. Doesn't open a window or reveal anything about the user. */
  'wallet/hello': z.strictObject({}),
  /** Returns prices in the user's own currency, to display next to the page's price. Doesn't open a window. */
  'rates/read': z.strictObject({ currency: currencyCode }),
  /**
   * Makes a payment, once per `id` and origin. `automatic` requests payment without a window, from the allowance for
   * this site and client. If there is no allowance, the user is prompted and can grant the suggested allowance in the
   * same window. `permission` is the page's token from an earlier allowance. `service` is the origin of the button's
   * service, which receives the payment report.
   */
  'payment/request': z.strictObject({
    id: requestId,
    options: paymentOptions,
    automatic: z.optional(z.boolean()),
    ...wantedAllowance,
    permission: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    service: z.optional(z.string().check(z.maxLength(300))),
  }),
  /**
   * Waits for the outcome of this origin's payment with this `id`, whose `payment/request` has already ended. Doesn't
   * open a window or retry anything. `known` is the error code that the page already has.
   */
  'payment/outcome': z.strictObject({ id: requestId, known: z.optional(z.string().check(z.maxLength(40))) }),
  /** Returns the remaining allowance for this site and client. Doesn't open a window. */
  'allowance/left': z.strictObject({ clientIdentifier }),
  /** Asks the user for an allowance for this site and client, in one of the wallet's windows. */
  'allowance/ask': z.strictObject({ clientIdentifier, ...wantedAllowance }),
  /**
   * Asks the user to sign in with the identity key, or with `register` to create an account, in one of the wallet's windows.
   * The wallet generates the text to sign (protocol/signed-messages/sign-in-message.ts) with the page's origin and the
   * server's nonce and times. `issuedAt` must be within two minutes of the current time, and the text may be valid for
   * at most ten minutes.
   */
  'identity/sign-in': z.strictObject({
    nonce: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,100}$/)),
    issuedAt: moment,
    expiresAt: moment,
    register: z.nullable(z.pick(registration, { handle: true, name: true })),
  }),
  /**
   * Mints an asset that the user defined at the wallet's own service. Each asset is minted only once. Only pages of
   * that service can call this, and the wallet reads the description from the service.
   */
  'asset/mint': z.strictObject({ assetId: z.uuid() }),
  /** Calls the BSV wallet interface (BRC-100): the method's name, and its arguments as JSON from the relay. */
  'brc100/call': z.strictObject({
    call: z.string().check(z.maxLength(50)),
    args: z.string().check(z.maxLength(MAX_CALL_LENGTH)),
  }),
} as const satisfies Record<(typeof PAGE_METHODS)[number], unknown>;

export type PageMethod = keyof typeof pageMethods;
export type PageParams<M extends PageMethod> = z.infer<(typeof pageMethods)[M]>;

export interface PageResults {
  'wallet/hello': { version: string; network: string };
  'rates/read': PageRates;
  /** `payment` is null if there was nothing to pay. `token` identifies an allowance granted along with this payment. */
  'payment/request': { payment: Payment | null; cryptoOperations: CryptoResult[]; token?: string };
  /** Same as for `payment/request`. Fails with `not-found` if this origin has no payment with this ID. */
  'payment/outcome': PageResults['payment/request'];
  /** The remaining amount in the allowance's currency, and in satoshis as a string. Zero if there is no allowance. */
  'allowance/left': { amount: string; currency: string; satoshis: string };
  /** `token` identifies the allowance, and doesn't authorize anything by itself. */
  'allowance/ask': { token: string };
  /** A Bitcoin signed message, base64. `receivingXpub`, null for a sign-in, is part of a registration's signed text. */
  'identity/sign-in': { publicKey: string; signature: string; receivingXpub: string | null };
  /** The token's ID: transaction ID and index of the minting output, `txid_vout`. */
  'asset/mint': { tokenId: string };
  /** In BRC-100 format, including errors. */
  'brc100/call': { result: unknown } | { error: Brc100ErrorForm };
}

/** Data that a page uses to compute costs. None of it depends on the user's balance. */
export interface PageRates {
  currency: string;
  /**
   * The user's identity, only for a site with an allowance. Such a site could find out the identity anyway, because a
   * payment to the user's own ID costs only the network fee. `service` is the origin of the service that issued the
   * user ID.
   */
  payer?: { userId: string; paymail: string; service?: string };
  /** Prices of one BSV as decimal strings: in the requested currency, and in the user's own if known. */
  prices: Record<string, string>;
  /** The network's fee rate: `satoshis` per `bytes`. */
  feeRate: { satoshis: number; bytes: number };
  /** Time of the prices (milliseconds since 1970). */
  time: number;
}

/** A request as posted by the page and forwarded by the relay. `id` links the request to its reply. */
export interface PageRequest<M extends PageMethod = PageMethod> {
  channel: typeof CHANNEL;
  to: 'wallet';
  id: string;
  method: M;
  params: PageParams<M>;
}

/** The response: exactly one of `result` and `error`. */
export interface PageReply<M extends PageMethod = PageMethod> {
  channel: typeof CHANNEL;
  to: 'page';
  id: string;
  /** Set if the wallet isn't set up yet. Only the relay uses this field. */
  isSetUp?: false;
  result?: PageResults[M];
  error?: PageError;
}

/**
 * The frame's user activation when the relay received the request. `new`: a user gesture that hasn't led to a prompt
 * yet, in a frame that no other site embeds. `active`: a recent user gesture. `embedded`: another site embeds the frame
 * and might hide it. `none`: no recent user gesture.
 */
export type UserActivation = (typeof USER_ACTIVATIONS)[number];
