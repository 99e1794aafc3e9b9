/** API v2 bodies: camelCase JSON, decimal strings for money, ISO 8601 UTC times. */
import * as z from 'zod/mini';
import { NETWORKS } from '../bitcoin/address.ts';
import { lowerCaseHex } from './hex.ts';
import { MAX_CRYPTO_OPERATIONS } from '../payments/limits.ts';
import { choice, cryptoResult, metadataShape, paidUnit, payment, paymentOutput } from '../payments/payment.ts';
import {
  NETWORK_STANDINGS,
  TOKEN_VALIDITIES,
  type ReportedOutput,
  type StoredOutput,
} from '../payments/payment-types.ts';

/** A compressed secp256k1 public key, lower-case hex. */
export const publicKey = z.string().check(z.regex(/^0[23][0-9a-f]{64}$/));
/** A handle: the part of a paymail before the @. It must contain a letter, because a number is a user ID. */
export const handle = z.string().check(z.regex(/^(?=.{3,30}$)(?=.*[a-z])[a-z0-9]+(?:[.-][a-z0-9]+)*$/));
const signature = z.string().check(z.regex(/^[A-Za-z0-9+/]{87}=$/));
const nonce = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,100}$/));

/** The fields of a registration: handle, name and extended public key of account `m/44'/236'/2'`. */
export const registration = z.strictObject({
  handle,
  name: z.string().check(z.maxLength(100)),
  receivingXpub: z.string().check(z.regex(/^[xt]pub[1-9A-HJ-NP-Za-km-z]{100,115}$/)),
});
export type Registration = z.infer<typeof registration>;

/** POST /api/v2/sign-in/challenges, sent by a wallet. A page without its user's key sends `{}`. */
export const challengeRequest = z.strictObject({ publicKey, register: z.optional(registration) });
/** 201 response: the exact text to sign, and its expiry. */
export const challengeResponse = z.object({
  nonce,
  message: z.string().check(z.maxLength(4000)),
  expiresAt: z.string(),
});
/** 201 response to a page. The wallet adds its own key and the page's origin to the signed text. */
export const openChallengeResponse = z.object({ nonce, issuedAt: z.string(), expiresAt: z.string() });

/** POST /api/v2/sign-in. `signature` is the Bitcoin signed message of the challenge's text, base64. */
export const signedChallenge = z.strictObject({ publicKey, nonce, signature });
/** POST /api/v2/users. `register` is required if a page requested the challenge without `register`. */
export const signedRegistration = z.strictObject({ publicKey, nonce, signature, register: z.optional(registration) });
/** 200 and 201 responses: the account, and a bearer token that is valid for `expiresIn` seconds. */
export const session = z.object({
  user: z.object({ id: z.string(), handle: z.string(), paymail: z.string(), name: z.string() }),
  accessToken: z.string(),
  expiresIn: z.number(),
});
export type Session = z.infer<typeof session>;

/** GET /api/v2/handles/{handle} */
export const handleResponse = z.object({ handle: z.string(), available: z.boolean() });

/** The network's fee rate: `satoshis` per `bytes`. */
export const feePolicy = z.object({ satoshis: z.number(), bytes: z.number() });
/** GET /api/v2/network */
export const networkResponse = z.object({
  network: z.enum(NETWORKS),
  arcUrl: z.string(),
  wocUrl: z.string(),
  /** URL of a Chaintracks server, a second source of block headers. */
  headersUrl: z.optional(z.string()),
  feePolicy,
});

/** GET /api/v2/rates: the price of one BSV as a decimal string, by currency code, and the time of the rates. */
export const ratesResponse = z.object({ rates: z.record(z.string(), z.string()), time: z.string() });

/** Maximum number of inputs with values in a report. The service verifies a signature for each input. */
export const MAX_REPORTED_INPUTS = 1000;

const reportedOutput = z.object({
  ...paymentOutput.shape,
  scripts: z
    .array(
      z.object({
        script: lowerCaseHex(20_000_000),
        satoshis: z.string().check(z.regex(/^\d{1,16}$/)),
      }),
    )
    .check(z.minLength(1), z.maxLength(100)),
  reference: z.optional(z.nullable(z.string().check(z.maxLength(1000)))),
}) satisfies z.ZodMiniType<ReportedOutput>;

/**
 * POST /api/v2/payments, sent by the sender's wallet after the network accepted the transaction. The wallet generates
 * `id`, `inputProof` proves that the reporter made the transaction, and each output lists the scripts (hex) and
 * satoshis that pay it. Idempotent. Unknown fields are ignored and newer fields are optional, because wallets and
 * services are updated independently.
 */
export const paymentReport = z.object({
  id: z.uuid(),
  /** Signature of the text in report-message.ts with the key of the transaction's first input, base64. */
  inputProof: signature,
  rawtx: lowerCaseHex(20_000_000),
  /** The satoshis of each input, from which the service computes the network fee. */
  inputs: z.optional(
    z.array(z.string().check(z.regex(/^\d{1,16}$/))).check(z.minLength(1), z.maxLength(MAX_REPORTED_INPUTS)),
  ),
  amount: z.string().check(z.maxLength(60)),
  currency: paidUnit,
  origin: z.nullable(z.string().check(z.maxLength(300))),
  clientIdentifier: z.nullable(z.string().check(z.maxLength(100))),
  ...metadataShape((most) => z.optional(z.nullable(z.string().check(z.maxLength(most))))),
  /**
   * The page's limits for the amount that the payer chose. Reports outside these limits are rejected. The limits aren't
   * stored.
   */
  choice: z.optional(choice),
  outputs: z.array(reportedOutput).check(z.minLength(1), z.maxLength(100)),
  /** The results of the crypto operations, as returned to the page but without decrypted text. */
  cryptoOperations: z.optional(z.array(cryptoResult).check(z.maxLength(MAX_CRYPTO_OPERATIONS))),
});
export type PaymentReport = z.infer<typeof paymentReport>;

const storedOutput = z.object({
  ...paymentOutput.shape,
  scripts: z.nullable(z.array(z.object({ script: z.string(), satoshis: z.string() }))),
  token: z.optional(
    z.object({
      id: z.string(),
      units: z.string(),
      validity: z.enum(TOKEN_VALIDITIES),
      assetId: z.nullable(z.string()),
    }),
  ),
}) satisfies z.ZodMiniType<StoredOutput>;
/**
 * A crypto operation as returned by the service. `checked` is true if the service itself verified the signature
 * (`sign`) or the reported verification result (`verify`). Everything else is reported by the sender.
 */
const storedOperation = z.object({ ...cryptoResult.shape, checked: z.boolean() });
/**
 * A payment as stored by the service. Unknown values are null. The sums are unknown if the wallet reported no input
 * values, and the sender is unknown for a paymail payment without a report.
 */
export const storedPayment = z.object({
  ...payment.shape,
  outputs: z.array(storedOutput),
  statusDescription: z.nullable(z.string()),
  /** The transaction's state on the network (see {@link NETWORK_STANDINGS}). */
  network: z.enum(NETWORK_STANDINGS),
  clientIdentifier: z.nullable(z.string()),
  /** The payment's value in USD at the service's rate when the payment was reported, a decimal string. */
  amountUsd: z.nullable(z.string()),
  /**
   * The payment's value in `currency` at the service's rate, null if there was no rate. `amount`, in contrast, is
   * reported by the sender.
   */
  serviceAmount: z.nullable(z.string()),
  /**
   * True if the value of the satoshis paid differs by more than a tenth from an amount that the sender stated. Null if
   * there is no rate.
   */
  amountDeviates: z.nullable(z.boolean()),
  cryptoOperations: z.array(storedOperation),
  inputSatoshis: z.nullable(z.string()),
  spendSatoshis: z.nullable(z.string()),
  feeSatoshis: z.nullable(z.string()),
  changeSatoshis: z.nullable(z.string()),
  /**
   * The satoshis that this payment refunds, as verified by the service: paid by the recipient of `refundOf` or the
   * application's owner to the payer's address or account. Null if this payment isn't a refund.
   */
  refundSatoshis: z.nullable(z.string()),
  /** Total satoshis refunded for this payment, `'0'` if none. */
  refundedSatoshis: z.string(),
  createdAt: z.string(),
  /** Same as `outputs`, under the name used in the response for a single payment. */
  paymentOutputs: z.array(storedOutput),
  /** The paymail of an account at this service, or a paymail that its own host confirmed. */
  senderPaymail: z.nullable(z.string()),
});

/** 200 and 201 responses to POST /api/v2/payments, and response to GET /api/v2/payments/{id} */
export const paymentResponse = z.object({
  payment: storedPayment,
  paymentOutputs: z.array(storedOutput),
});
export type PaymentResponse = z.infer<typeof paymentResponse>;

/** 200 and 201 responses to POST /api/v2/payments from a wallet without an account. Only confirms the report. */
export const anonymousReportResponse = z.object({
  payment: z.pick(storedPayment, { id: true, txid: true, status: true }),
});

/** The error body of API v2: `{"error": {"code", "message"}}` with a stable code. */
export const errorResponse = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
