/**
 * Messages between a page's script, the relay in its frame and the wallet. The page can forge every byte of its side,
 * so each side validates again, and the origin is never in a message.
 * Page to relay, by `window.postMessage` to the page's own origin: {@link PageRequest}. Relay to page, the same way:
 * {@link PageReply}, or `{channel, to: 'page', event}` when the relay starts. Relay to other wallets' relays:
 * `{channel, to: 'wallets', beside}` with its first request (also before it announces itself, if injected into an open
 * page), `{channel, to: 'wallets', relay}` before its first response. The first of the latter gets the page and the
 * others withdraw; a wallet that isn't set up lets the others go first. The relay of an updated or removed extension
 * stops when it gets `relay`. Relay to wallet and back, by a runtime port named {@link PAGE_PORT}: the same request and
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
 * A page's suggestion for an allowance, which the user may change. `suggestedAmount` prefills the wallet's form; less
 * than `minimumAmount` is of no use to the page. 0 means none.
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
   * Makes a payment, once for each `id` and origin. `automatic` requests payment from the allowance of this site and
   * client without a window; otherwise the user is prompted, with the suggested allowance in the same window.
   * `permission` is the page's token of an earlier allowance. `service` is the origin of the button's service, to which
   * the payment is reported.
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
   * Waits for the outcome of this origin's payment with this `id`, whose `payment/request` ended before. Opens nothing,
   * and retries nothing. `known`: the code of the error that the page has.
   */
  'payment/outcome': z.strictObject({ id: requestId, known: z.optional(z.string().check(z.maxLength(40))) }),
  /** The rest of the user's allowance for this site and client. Opens nothing. */
  'allowance/left': z.strictObject({ clientIdentifier }),
  /** Asks the user for such an allowance, in a window of the wallet. */
  'allowance/ask': z.strictObject({ clientIdentifier, ...wantedAllowance }),
  /**
   * Asks the user to sign in with the identity key, or with `register` to create an account, in the wallet's window.
   * The wallet writes the text to sign itself (protocol/signed-messages/sign-in-message.ts), with the page's origin;
   * nonce and times are the server's. Issued within two minutes of now, valid for ten minutes at most.
   */
  'identity/sign-in': z.strictObject({
    nonce: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,100}$/)),
    issuedAt: moment,
    expiresAt: moment,
    register: z.nullable(z.pick(registration, { handle: true, name: true })),
  }),
  /**
   * Mints an asset that the user has described at the wallet's own service. Only for pages of that service, from which
   * the wallet reads the description. Never mints an asset twice.
   */
  'asset/mint': z.strictObject({ assetId: z.uuid() }),
  /** A call of the BSV wallet interface (BRC-100): the method's name, and its arguments as the relay's JSON. */
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
  /** A Bitcoin signed message, base64. `receivingXpub`, null for a sign-in, is part of a registration's signed text. */
  'identity/sign-in': { publicKey: string; signature: string; receivingXpub: string | null };
  /** The token's id: the transaction and the output that made it, `txid_vout`. */
  'asset/mint': { tokenId: string };
  /** In that interface's form, including errors. */
  'brc100/call': { result: unknown } | { error: Brc100ErrorForm };
}

/** Data that a page may use to show costs. None of it depends on the user's balance. */
export interface PageRates {
  currency: string;
  /**
   * The user's identity, only for a site with an allowance, which can learn it anyway: a payment to the user costs only
   * the fee. `service` is the origin of the user ID's service.
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
  /** There is no wallet yet. Only for the relay. */
  isSetUp?: false;
  result?: PageResults[M];
  error?: PageError;
}

/**
 * The user activation in the frame when the relay got the request. `new`: a user gesture that the user wasn't prompted
 * for yet, in a frame that no other site embeds. `active`: a recent user gesture. `embedded`: another site embeds the
 * frame and may hide it. `none`.
 */
export type UserActivation = (typeof USER_ACTIVATIONS)[number];
