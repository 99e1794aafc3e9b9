/** A page's payment request, and the payment object that it receives (specification, sections 2.1 to 2.3). */
import * as z from 'zod/mini';
import { ASSET_NAME } from '../assets/asset-name.ts';
import { isWithin } from './choice.ts';
import {
  MAX_AMOUNT,
  MAX_CLIENT_IDENTIFIER,
  MAX_CRYPTO_OPERATIONS,
  MAX_CRYPTO_TEXT,
  MAX_OP_RETURN_BYTES,
  MAX_OUTPUTS,
  MAX_PAYMAIL,
  MAX_SCRIPT_TEXT,
  MAX_SUBSTITUTED_BYTES,
} from './limits.ts';
import { LATER_METADATA, METADATA, METADATA_NAMES, type LaterName, type MetadataName } from './metadata.ts';
import { CURRENCY_CODE } from '../money/money.ts';
import {
  CRYPTO_METHODS,
  PAYMENT_STATUSES,
  RECIPIENT_KINDS,
  type CryptoResult,
  type Payment,
  type PaymentOutput,
} from './payment-types.ts';

export * from './payment-types.ts';

// Databases can't store NUL or lone surrogates, so a payment that contains them couldn't be recorded.
const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed();
const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most), z.refine(isStorable));
/** A random ID of 8 to 64 safe characters. */
export const requestId = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));
const amount = text(MAX_AMOUNT);
/** Maximum length of an output's script after inserting the results of crypto operations (characters). */
const MAX_FILLED_SCRIPT = 2 * MAX_SUBSTITUTED_BYTES;
/** A currency code, whether or not its rate is known. */
export const currencyCode = z.string().check(z.regex(CURRENCY_CODE));
/** The unit of an output's amount: a currency code, or one of an asset's names. */
export const paidUnit = z.string().check(z.regex(new RegExp(`${CURRENCY_CODE.source}|${ASSET_NAME.source}`)));

/**
 * A recipient and its amount. The recipient is either `to`, whose kind is recognized by its syntax, or exactly one of
 * the four other fields. `amount` is a decimal string in `currency` or, for an asset, in whole units.
 */
export const requestedOutput = z
  .strictObject({
    to: z.optional(text(MAX_SCRIPT_TEXT)),
    paymail: z.optional(text(MAX_PAYMAIL)),
    userId: z.optional(text(20)),
    address: z.optional(text(MAX_PAYMAIL)),
    script: z.optional(text(MAX_SCRIPT_TEXT)),
    amount,
    currency: paidUnit,
  })
  .check(z.refine((o) => [o.to, o.paymail, o.userId, o.address, o.script].filter((v) => v !== undefined).length === 1));
export type RequestedOutput = z.infer<typeof requestedOutput>;

/**
 * A crypto operation requested by a page. In scripts, `#{name}` is replaced by its result. The `key` method returns the
 * user's identity key.
 */
export const cryptoOperation = z.strictObject({
  name: z.string().check(z.regex(/^[A-Za-z]{1,50}$/)),
  method: z.enum(CRYPTO_METHODS),
  data: z.optional(text(MAX_CRYPTO_TEXT)),
  dataEncoding: z.optional(z.enum(['utf8', 'hex'])),
  value: z.optional(text(MAX_CRYPTO_TEXT)),
  valueEncoding: z.optional(z.enum(['utf8', 'hex', 'base64'])),
  key: z.optional(z.literal('identity')),
  algorithm: z.optional(z.enum(['bitcoin-signed-message', 'electrum-ecies'])),
  publicKey: z.optional(z.string().check(z.regex(/^0[23][0-9a-fA-F]{64}$/))),
  paymail: z.optional(text(MAX_PAYMAIL)),
  signature: z.optional(text(200)),
});
export type CryptoOperation = z.infer<typeof cryptoOperation>;

/** See {@link CryptoResult}. */
export const cryptoResult = z.object({
  id: z.string().check(z.regex(/^[1-9]\d?$/)),
  name: z.string().check(z.regex(/^[A-Za-z]{1,50}$/)),
  method: z.enum(CRYPTO_METHODS),
  data: z.nullable(z.string().check(z.maxLength(MAX_CRYPTO_TEXT))),
  dataEncoding: z.nullable(z.enum(['utf8', 'hex'])),
  value: z.nullable(z.string().check(z.maxLength(2 * MAX_CRYPTO_TEXT + 1000))),
  valueEncoding: z.nullable(z.enum(['utf8', 'hex', 'base64'])),
  key: z.nullable(z.literal('identity')),
  algorithm: z.nullable(z.string().check(z.maxLength(100))),
  publicKey: z.nullable(z.string().check(z.maxLength(66))),
  paymail: z.nullable(z.string().check(z.maxLength(MAX_PAYMAIL))),
  signature: z.nullable(z.string().check(z.maxLength(200))),
  verified: z.nullable(z.boolean()),
}) satisfies z.ZodMiniType<CryptoResult>;
/** Creates a schema for each metadata field, from its maximum length. */
export function metadataShape<S>(schema: (most: number) => S): Record<MetadataName, S> {
  return Object.fromEntries(METADATA_NAMES.map((name) => [name, schema(METADATA[name])])) as Record<MetadataName, S>;
}

/** Creates the shape of {@link SentMetadata} from a schema for its values. */
export function sentMetadata<S extends z.ZodMiniType<string>>(schema: (most: number) => S) {
  const shape = metadataShape((most) => z.nullable(schema(most)));
  const later = Object.fromEntries(LATER_METADATA.map((name) => [name, z.optional(shape[name])]));
  return { ...shape, ...(later as Record<LaterName, z.ZodMiniOptional<z.ZodMiniNullable<S>>>) };
}

const decimal = z.string().check(z.regex(/^\d{1,18}(?:\.\d{1,18})?$/));
/** The page's limits for the amount that the visitor chose, in the currency of the only output. */
export const choice = z.strictObject({ min: z.optional(decimal), max: z.optional(decimal) });

/** True if the amount is within the limits. If there are limits, only one output is allowed. */
export function isWithinChoice({
  outputs: [output, other],
  choice: bounds,
}: {
  outputs: readonly Pick<RequestedOutput, 'amount'>[];
  choice?: z.infer<typeof choice> | undefined;
}): boolean {
  if (!bounds) return true;
  return !!output && !other && decimal.safeParse(output.amount).success && isWithin(output.amount, bounds);
}

/** A swipe's unverified request. Without outputs, it only runs crypto operations. */
export const paymentOptions = z
  .strictObject({
    outputs: z.array(requestedOutput).check(z.maxLength(MAX_OUTPUTS)),
    cryptoOperations: z.optional(z.array(cryptoOperation).check(z.minLength(1), z.maxLength(MAX_CRYPTO_OPERATIONS))),
    opReturn: z.optional(
      z.string().check(
        z.maxLength(MAX_OP_RETURN_BYTES),
        z.refine((value) => value.isWellFormed()),
      ),
    ),
    clientIdentifier: z.optional(text(MAX_CLIENT_IDENTIFIER)),
    ...metadataShape((most) => z.optional(text(most))),
    preserveOrder: z.optional(z.boolean()),
    choice: z.optional(choice),
  })
  .check(
    z.refine((o) => o.outputs.length > 0 || o.cryptoOperations !== undefined),
    z.refine(isWithinChoice),
  );
export type PaymentOptions = z.infer<typeof paymentOptions>;

/** Sort orders for lists of payments, with the field names of both API versions. `-` means newest first (default). */
export const PAYMENT_ORDERS = ['-createdAt', 'createdAt', '-created-at', 'created-at'] as const;
export type PaymentOrder = (typeof PAYMENT_ORDERS)[number];

/** See {@link PaymentOutput}. */
export const paymentOutput = z.object({
  type: z.enum(RECIPIENT_KINDS),
  to: text(MAX_FILLED_SCRIPT),
  paymail: z.nullable(text(MAX_PAYMAIL)),
  userId: z.nullable(text(20)),
  address: z.nullable(text(64)),
  script: z.nullable(text(MAX_FILLED_SCRIPT)),
  amount,
  currency: paidUnit,
  satoshis: z.string().check(z.regex(/^\d{1,16}$/)),
  token: z.optional(
    z.object({
      id: z.string().check(z.regex(/^[0-9a-f]{64}_\d{1,10}$/)),
      units: z.string().check(z.regex(/^[1-9]\d{0,19}$/)),
    }),
  ),
}) satisfies z.ZodMiniType<PaymentOutput>;
/** See {@link Payment} (specification, section 2.3). */
export const payment = z.object({
  id: z.string(),
  ...sentMetadata(() => z.string()),
  status: z.enum(PAYMENT_STATUSES),
  txid: z.string(),
  normalizedTxid: z.string(),
  amount: z.string(),
  currency: z.string(),
  satoshis: z.string(),
  outputs: z.array(paymentOutput),
  paymentOutputs: z.array(paymentOutput),
  cryptoOperations: z.array(cryptoResult),
  userId: z.nullable(z.string()),
  senderPaymail: z.nullable(z.string()),
  amountUsd: z.nullable(z.string()),
  rawtx: z.string(),
}) satisfies z.ZodMiniType<Payment>;
