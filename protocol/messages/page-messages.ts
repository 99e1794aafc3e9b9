/**
 * Messages between a page's script, the relay in its frame and the wallet. The page can forge every byte of its side,
 * so each side validates the shape again, and the origin is never in a message.
 *
 * Page to relay, by `window.postMessage` to the page's own origin: {@link PageRequest}. Relay to page, the same way:
 * {@link PageReply}, or `{channel, to: 'page', event}` when the relay starts, so that a button without a wallet checks
 * again. Relay to the relays of other wallets in this browser: `{channel, to: 'wallets', beside}` with its first
 * request, `{channel, to: 'wallets', relay}` before its first response. The first of the latter gets the page and the
 * others withdraw. A wallet that isn't set up lets the others go first. A relay that is injected into an open page
 * sends `beside` before it announces itself. The relay that has the page responds with `relay`, and one of an updated
 * or removed extension stops. Relay to wallet and back, by a runtime port named {@link PAGE_PORT}: the same request and
 * reply.
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
 * A page's suggestion for an allowance for automatic payments, which the user may change. `suggestedAmount` prefills
 * the wallet's form; less than `minimumAmount` is of no use to the page. An amount of 0 means none.
 */
const wantedAllowance = { suggestedAmount: z.optional(money), minimumAmount: z.optional(money) };

/** A moment as text: ISO 8601, UTC. */
const moment = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/));

/** The methods that a page may call, with their parameters. */
export const pageMethods = {
  /** Whether there is a wallet, and on which network. Opens nothing and reveals nothing about the user. */
  'wallet/hello': z.strictObject({}),
  /** Prices in the user's own currency, to show next to the page's price. Opens nothing. */
  'rates/read': z.strictObject({ currency: currencyCode }),
  /**
   * Makes a payment. The same `id` from the same origin is the same payment, even if requested repeatedly. `automatic`
   * requests payment from the allowance of this site and client without a window. If that doesn't suffice, the user is
   * prompted as usual, with the suggested allowance in the payment's window. `permission` is the page's token of an
   * earlier allowance, which the form mentions. `service` is the origin of the button's service, to which the payment
   * is reported with or without an account.
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
   * Waits for the outcome of a payment that the same origin has requested by this `id`, with a `payment/request` that
   * ended before its payment did. Opens nothing, and tries nothing again. `known`: the code of the error that the page
   * has, which isn't an outcome.
   */
  'payment/outcome': z.strictObject({ id: requestId, known: z.optional(z.string().check(z.maxLength(40))) }),
  /** The remaining allowance for automatic payments that the user gave this site and client. Opens nothing. */
  'allowance/left': z.strictObject({ clientIdentifier }),
  /** Asks the user for such an allowance, in a window of the wallet. */
  'allowance/ask': z.strictObject({ clientIdentifier, ...wantedAllowance }),
  /**
   * Asks the user to sign in with the wallet's identity key, or with `register` to make an account with it, in a window
   * of the wallet. The wallet writes the text to sign itself (protocol/signed-messages/sign-in-message.ts), with the
   * page's origin in it; nonce and times are the server's. Issued within two minutes of now, good for ten minutes at
   * most.
   */
  'identity/sign-in': z.strictObject({
    nonce: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,100}$/)),
    issuedAt: moment,
    expiresAt: moment,
    register: z.nullable(z.pick(registration, { handle: true, name: true })),
  }),
  /**
   * Mints an asset that the user has described at the wallet's own service. Only for pages of that service. The wallet
   * reads the description from the service itself. An asset that the wallet has minted, or that has a token, isn't
   * minted again.
   */
  'asset/mint': z.strictObject({ assetId: z.uuid() }),
  /**
   * A call of the BSV wallet interface (BRC-100): the method's name, and its arguments as JSON, which the relay writes.
   */
  'brc100/call': z.strictObject({
    call: z.string().check(z.maxLength(50)),
    args: z.string().check(z.maxLength(MAX_CALL_LENGTH)),
  }),
} as const satisfies Record<(typeof PAGE_METHODS)[number], unknown>;

/** The name of a method a page may call. */
export type PageMethod = keyof typeof pageMethods;
export type PageParams<M extends PageMethod> = z.infer<(typeof pageMethods)[M]>;

export interface PageResults {
  'wallet/hello': { version: string; network: string };
  'rates/read': PageRates;
  /** `payment` is null if nothing was to be paid; `token` names an allowance that the user gave with this payment. */
  'payment/request': { payment: Payment | null; cryptoOperations: CryptoResult[]; token?: string };
  /** As for `payment/request`. Ends with `not-found` if this origin has no payment of this id. */
  'payment/outcome': PageResults['payment/request'];
  /** In the allowance's currency, and in satoshis as text; zero if there is none. */
  'allowance/left': { amount: string; currency: string; satoshis: string };
  /** `token` names the allowance. It grants nothing by itself. */
  'allowance/ask': { token: string };
  /**
   * A Bitcoin signed message, base64. `receivingXpub` is part of the signed text of a registration; null for a sign-in.
   */
  'identity/sign-in': { publicKey: string; signature: string; receivingXpub: string | null };
  /** The token's id: the transaction and the output that made it, `txid_vout`. */
  'asset/mint': { tokenId: string };
  /** In that interface's form, errors too. */
  'brc100/call': { result: unknown } | { error: Brc100ErrorForm };
}

/** Data that a page may use to show costs. None of it depends on the user's balance. */
export interface PageRates {
  currency: string;
  /**
   * The user's identity, only for a site with an allowance from them, which can learn it anyway: a payment to the
   * user's own address costs only the fee. `service` is the origin of the user ID's service.
   */
  payer?: { userId: string; paymail: string; service?: string };
  /** Prices of one BSV, decimal text: in the requested currency, and in the user's own if known. */
  prices: Record<string, string>;
  /** The network's fee rate: `satoshis` for `bytes`. */
  feeRate: { satoshis: number; bytes: number };
  /** When the prices were known, milliseconds since 1970. */
  time: number;
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
  /** There is no wallet yet. For the relay, which does not pass it on. */
  isSetUp?: false;
  result?: PageResults[M];
  error?: PageError;
}

/**
 * The user activation in the frame when the relay received the request. `new`: the browser reports a user gesture
 * there, the user wasn't prompted for it yet, and no other site embeds the frame. `active`: a recent user gesture
 * there. `embedded`: another site embeds the frame and may hide it. `none`.
 */
export type UserActivation = (typeof USER_ACTIVATIONS)[number];
