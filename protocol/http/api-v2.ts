/** API v2 bodies for profiles, balances, lists and currencies. */
import * as z from 'zod/mini';
import { storedPayment } from './api.ts';
import { asset, tokenAmount, tokenId } from '../assets/assets.ts';
import { MAX_PUBLISHED_ASSETS } from '../signed-messages/balance-message.ts';
import { METADATA } from '../payments/metadata.ts';
import { currencyCode, PAYMENT_ORDERS, PAYMENT_STATUSES } from '../payments/payment.ts';
import { MAX_PICTURE_BYTES } from './picture.ts';

const satoshis = z.string().check(z.regex(/^(?:0|[1-9]\d{0,15})$/));
const signature = z.string().check(z.regex(/^[A-Za-z0-9+/]{87}=$/));
/** ISO 8601 UTC with milliseconds, as written by `Date.toISOString`. */
const time = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  z.refine((text) => new Date(text).toJSON() === text),
);

export const profile = z.object({
  name: z.string(),
  bio: z.string(),
  avatarUrl: z.nullable(z.string()),
  defaultCurrency: z.string(),
  defaultLanguage: z.string(),
  paymail: z.string(),
  createdAt: z.string(),
});
export type Profile = z.infer<typeof profile>;

/** GET /api/v2/me. Includes the profile if the token's scope covers it. */
export const meResponse = z.object({
  user: z.object({ id: z.string(), name: z.string() }),
  profile: z.nullable(profile),
});
/** GET /api/v2/me/profile, PATCH /api/v2/me */
export const profileResponse = z.object({ profile });

/** PATCH /api/v2/me: omitted fields remain unchanged. */
export const profileChange = z.strictObject({
  name: z.optional(z.string().check(z.maxLength(100))),
  bio: z.optional(z.string().check(z.maxLength(1000))),
  avatarUrl: z.optional(z.nullable(z.string().check(z.maxLength(500)))),
  defaultCurrency: z.optional(currencyCode),
  defaultLanguage: z.optional(z.string().check(z.minLength(2), z.maxLength(35))),
});
export type ProfileChange = z.infer<typeof profileChange>;

/** POST /api/v2/me/avatars: the paymail whose picture is requested. */
export const avatarQuestion = z.strictObject({ paymail: z.string().check(z.maxLength(320)) });
/** The response: `image` is base64 of at most {@link MAX_PICTURE_BYTES} bytes. Null if the paymail has no picture. */
export const avatarResponse = z.object({
  avatar: z.nullable(
    z.object({
      type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
      image: z.string().check(z.maxLength(4 * Math.ceil(MAX_PICTURE_BYTES / 3)), z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
    }),
  ),
});

/** A wallet's token balance, in smallest units. */
const assetBalance = z.strictObject({ tokenId, amount: tokenAmount });

/**
 * PUT /api/v2/me/balance. `signature` (base64) is made with the identity key (see
 * protocol/signed-messages/balance-message.ts). `assetsSignature` covers the assets, which must be unique.
 */
export const balancePublication = z
  .strictObject({
    satoshis,
    time,
    signature,
    assets: z.optional(z.array(assetBalance).check(z.maxLength(MAX_PUBLISHED_ASSETS))),
    assetsSignature: z.optional(signature),
  })
  .check(
    z.refine(({ assets, assetsSignature }) => (assets === undefined) === (assetsSignature === undefined)),
    z.refine(({ assets = [] }) => new Set(assets.map((one) => one.tokenId)).size === assets.length),
  );
export type BalancePublication = z.infer<typeof balancePublication>;
/**
 * GET /api/v2/me/balance-wanted, and the response to PUT /api/v2/me/balance: whether any application may read the
 * balance and the assets. Older services omit `assets` and don't accept asset balances.
 */
export const balanceWantedResponse = z.object({ wanted: z.boolean(), assets: z.optional(z.boolean()) });

/**
 * GET /api/v2/me/connections: applications with access to the account, newest first. `scopes` can contain scopes that
 * the wallet doesn't support yet.
 */
export const connectionsResponse = z.object({
  connections: z.array(
    z.object({
      id: z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
      name: z.string().check(z.maxLength(500)),
      url: z.string().check(z.maxLength(4000)),
      since: time,
      scopes: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(50)),
    }),
  ),
});
export type Connection = z.infer<typeof connectionsResponse>['connections'][number];

/** GET /api/v2/me/refunds: the 100 latest refunds of the account's own payments, newest first. */
export const refundsResponse = z.object({
  refunds: z
    .array(
      z.object({
        /** ID of the account's payment that was refunded. */
        paymentId: z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
        /** The refunding transaction. */
        txid: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
        satoshis: z.string().check(z.regex(/^\d{1,16}$/)),
      }),
    )
    .check(z.maxLength(100)),
});
export type Refund = z.infer<typeof refundsResponse>['refunds'][number];

/**
 * GET /api/v2/me/balances and /api/v2/me/wallets/active/balances: the same balance in each currency, and the message
 * that the wallet signed. If the token's scope includes assets, this service's assets follow, with their ID as
 * `currency` and 0 satoshis.
 */
export const balancesResponse = z.object({
  balances: z.array(
    z.object({
      currency: z.string(),
      amount: z.string(),
      satoshis: z.nullable(z.string()),
      asset: z.optional(
        z.pick(asset, { id: true, name: true, paymailAlias: true, paymailDomain: true, tokenId: true }),
      ),
    }),
  ),
  published: z.object({
    satoshis: z.string(),
    time: z.string(),
    publicKey: z.string(),
    message: z.string(),
    signature: z.string(),
    /** All token balances that the wallet published, including other services' tokens. Units are decimal strings. */
    assets: z.optional(
      z.object({
        held: z.array(z.object({ tokenId: z.string(), amount: z.string() })),
        message: z.string(),
        signature: z.string(),
      }),
    ),
  }),
});

/**
 * GET /api/v2/payments and /api/v2/me/payments: newest first by default. `rawtx` is null if the transaction is longer
 * than 100,000 bytes.
 */
export const paymentsResponse = z.object({
  payments: z.array(z.object({ ...storedPayment.shape, rawtx: z.nullable(z.string()) })),
  nextCursor: z.nullable(z.string()),
});
/** The query parameters of both endpoints. */
export const paymentListQuery = z.strictObject({
  limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|100)$/))),
  cursor: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,200}$/))),
  buttonId: z.optional(z.string().check(z.maxLength(METADATA.buttonId))),
  status: z.optional(z.enum(PAYMENT_STATUSES)),
  sort: z.optional(z.enum(PAYMENT_ORDERS)),
  txid: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
});

const currency = z.object({ code: z.string(), name: z.string() });
/** GET /api/v2/currencies */
export const currenciesResponse = z.object({ crypto: z.array(currency), fiat: z.array(currency) });
