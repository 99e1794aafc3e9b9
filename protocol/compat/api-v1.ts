/** API v1 documents: JSON:API 1.0, kebab-case names, decimal strings for money, ISO 8601 UTC times. */
import * as z from 'zod/mini';
import * as assets from '../assets/assets.ts';
import { cryptoResult, PAYMENT_ORDERS, PAYMENT_STATUSES, RECIPIENT_KINDS } from '../payments/payment.ts';
import { TOKEN_VALIDITIES } from '../payments/payment-types.ts';

/** The media type of API v1 (RFC 6839). Has no parameters, as required by JSON:API 1.0, "Content Negotiation". */
export const JSON_API = 'application/vnd.api+json';

const jsonapi = z.object({ version: z.literal('1.0') });
const text = z.string();
const maybe = z.nullable(z.string());
const reference = z.object({ id: text, type: text });
const whole = (least: number, most: number) =>
  z.string().check(
    z.regex(/^\d{1,9}$/),
    z.refine((digits) => Number(digits) >= least && Number(digits) <= most),
  );

/** GET /api/v1/auth/user_identity */
export const identityDocument = z.object({
  data: z.object({ id: text, type: z.literal('user_identities'), attributes: z.object({ id: text, name: text }) }),
  jsonapi,
});

const profileAttributes = z.object({
  'created-at': text,
  name: text,
  'default-currency': text,
  'default-language': text,
  bio: text,
  'primary-paymail': text,
  'avatar-url': maybe,
});
export type ProfileAttributes = z.infer<typeof profileAttributes>;
/** GET /api/v1/users/{id}/profile */
export const profileDocument = z.object({
  data: z.object({ id: text, type: z.literal('profiles'), attributes: profileAttributes }),
  jsonapi,
});
/** GET /api/v1/users/{id}: the identity, plus the profile if the token's scope includes it. */
export const userDocument = z.object({
  data: z.object({
    id: text,
    type: z.literal('users'),
    attributes: z.object({ ...z.partial(profileAttributes).shape, id: text, name: text }),
  }),
  jsonapi,
});

/**
 * GET /api/v1/users/{id}/balance: the balance last published by the wallet, in the user's currency if its rate is
 * known, otherwise in BSV. Includes this service's assets if the token's scope covers them.
 */
export const balanceDocument = z.object({
  data: z.object({
    id: text,
    type: z.literal('amounts'),
    attributes: z.object({ amount: text, currency: text, satoshis: text, 'published-at': text }),
    relationships: z.optional(z.object({ 'asset-amounts': z.object({ data: z.array(reference) }) })),
  }),
  included: z.optional(
    z.array(
      z.object({
        /** The asset's ID, which is also used as its currency code. */
        id: text,
        type: z.literal('asset-amounts'),
        attributes: z.object({
          amount: text,
          currency: text,
          name: text,
          'paymail-alias': text,
          'paymail-domain': text,
          'token-id': maybe,
        }),
      }),
    ),
  ),
  jsonapi,
});

const asset = assets.asset.shape;
const assetResource = z.object({
  id: text,
  type: z.literal('assets'),
  attributes: z.object({
    name: asset.name,
    description: asset.description,
    avatar: asset.avatar,
    url: asset.url,
    protocol: asset.protocol,
    'initial-supply': asset.initialSupply,
    decimals: asset.decimals,
    'user-id': asset.userId,
    'paymail-alias': asset.paymailAlias,
    'paymail-domain': asset.paymailDomain,
    state: asset.state,
    'token-id': asset.tokenId,
    'created-at': asset.createdAt,
    'updated-at': asset.updatedAt,
  }),
});
/** GET and PATCH /api/v1/assets/{id}, and 201 response to POST /api/v1/users/{id}/assets */
export const assetDocument = z.object({ data: assetResource, jsonapi });
/** GET /api/v1/users/{id}/assets, newest first */
export const assetsDocument = z.object({
  data: z.array(assetResource),
  meta: z.object({ 'total-pages': z.number() }),
  jsonapi,
});
export const userAssetsQuery = z.strictObject({
  'page[number]': z.optional(whole(1, 100)),
  'page[size]': z.optional(whole(1, 100)),
});
const described = assets.newAsset.shape;
/** POST /api/v1/users/{id}/assets */
export const newAssetDocument = z.strictObject({
  data: z.strictObject({
    type: z.literal('assets'),
    attributes: z.strictObject({
      name: described.name,
      'initial-supply': described.initialSupply,
      protocol: described.protocol,
      description: described.description,
      avatar: described.avatar,
      url: described.url,
      decimals: described.decimals,
      'paymail-alias': described.paymailAlias,
      'paymail-domain': described.paymailDomain,
    }),
  }),
});
/** PATCH /api/v1/assets/{id}: omitted attributes remain unchanged. */
export const changedAssetDocument = z.strictObject({
  data: z.strictObject({ id: text, type: z.literal('assets'), attributes: assets.changedAsset }),
});

const paymentAttributes = z.object({
  'created-at': text,
  /** The sender. `user-id` is null for a paymail payment without a report, and the paymail is null if unknown. */
  'user-id': maybe,
  'user-paymail': maybe,
  'client-identifier': maybe,
  txid: text,
  'normalized-txid': text,
  amount: text,
  currency: text,
  satoshis: text,
  status: z.enum(PAYMENT_STATUSES),
  'status-description': maybe,
  'button-id': maybe,
  'button-data': maybe,
  'payer-note': z.optional(maybe),
  'amount-usd': maybe,
  'service-amount': maybe,
  'amount-deviates': z.nullable(z.boolean()),
  'input-amount-usd': maybe,
  'input-amount-satoshis': maybe,
  'spend-amount-usd': maybe,
  'spend-amount-satoshis': maybe,
  'fee-amount-usd': maybe,
  'fee-amount-satoshis': maybe,
  'change-amount-usd': maybe,
  'change-amount-satoshis': maybe,
  /** Null in lists if the transaction is longer than 100,000 bytes. */
  rawtx: maybe,
});
const paymentResource = z.object({
  id: text,
  type: z.literal('payments'),
  attributes: paymentAttributes,
  relationships: z.object({
    'payment-outputs': z.object({ data: z.array(reference) }),
    'crypto-operations': z.object({ data: z.array(reference) }),
  }),
});
const outputResource = z.object({
  id: text,
  type: z.literal('payment-outputs'),
  attributes: z.object({
    /** Same value as `output-type`, because older software reads `type`. `user-paymail` exists for the same reason. */
    type: z.enum(RECIPIENT_KINDS),
    'output-type': z.enum(RECIPIENT_KINDS),
    'created-at': text,
    to: text,
    paymail: maybe,
    'user-paymail': maybe,
    'user-id': maybe,
    address: maybe,
    script: maybe,
    amount: text,
    'amount-usd': maybe,
    currency: text,
    satoshis: text,
    /** Like `token` in API v2, null for money. */
    'token-id': maybe,
    'token-units': maybe,
    'token-validity': z.nullable(z.enum(TOKEN_VALIDITIES)),
    'asset-id': maybe,
  }),
});
const operation = cryptoResult.shape;
const operationResource = z.object({
  id: text,
  type: z.literal('crypto-operations'),
  attributes: z.object({
    name: operation.name,
    method: operation.method,
    data: operation.data,
    'data-encoding': operation.dataEncoding,
    value: operation.value,
    'value-encoding': operation.valueEncoding,
    key: operation.key,
    algorithm: operation.algorithm,
    'public-key': operation.publicKey,
    paymail: operation.paymail,
    signature: operation.signature,
    verified: operation.verified,
    checked: z.boolean(),
  }),
});
const includedResource = z.discriminatedUnion('type', [outputResource, operationResource]);
export type OperationResource = z.infer<typeof operationResource>;
export type IncludedResource = z.infer<typeof includedResource>;
export type PaymentResource = z.infer<typeof paymentResource>;
export type OutputResource = z.infer<typeof outputResource>;

/** GET /api/v1/payments/{id} */
export const paymentDocument = z.object({ data: paymentResource, included: z.array(includedResource), jsonapi });
/** GET /api/v1/payments */
export const paymentsDocument = z.object({
  data: z.array(paymentResource),
  included: z.array(includedResource),
  links: z.object({ next: maybe }),
  jsonapi,
});
/** GET /api/v1/users/{id}/payments */
export const userPaymentsDocument = z.object({
  data: z.array(paymentResource),
  included: z.array(includedResource),
  meta: z.object({ 'total-pages': z.number() }),
  jsonapi,
});

const filters = {
  sort: z.optional(z.enum(PAYMENT_ORDERS)),
  'filter[button-id]': z.optional(z.string().check(z.maxLength(1000))),
  'filter[status]': z.optional(z.enum(PAYMENT_STATUSES)),
  'filter[txid]': z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
};
/** The query parameters of GET /api/v1/payments */
export const paymentsQuery = z.strictObject({
  limit: z.optional(whole(1, 100)),
  offset: z.optional(whole(0, 10_000)),
  ...filters,
});
/** The query parameters of GET /api/v1/users/{id}/payments */
export const userPaymentsQuery = z.strictObject({
  'page[number]': z.optional(whole(1, 100_000)),
  'page[size]': z.optional(whole(1, 100)),
  ...filters,
});

/** GET /api/v1/currencies/crypto and /api/v1/currencies/fiat */
export const currenciesDocument = z.object({
  data: z.array(
    z.object({ id: text, type: z.literal('currencies'), attributes: z.object({ code: text, name: text }) }),
  ),
  jsonapi,
});

/** The error document of API v1. `id` is the request's ID. The codes are in protocol/errors/service-error.ts. */
export const errorDocument = z.object({
  errors: z.array(z.object({ id: text, status: text, code: text, title: text, detail: text })),
  jsonapi,
});
