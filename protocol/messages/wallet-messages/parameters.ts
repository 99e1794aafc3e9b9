/** Parameters shared by several methods of the wallet's windows. */
import * as z from 'zod/mini';
import { currencyCode, PAYMENT_STATUSES, RECIPIENT_KINDS } from '../../payments/payment.ts';

export const noParameters = z.strictObject({});
export const password = z.string().check(z.minLength(1), z.maxLength(1000));
/** A BIP39 passphrase, empty if there is none. */
export const passphrase = z.string().check(z.maxLength(500));
/** An outpoint, `txid:vout`. */
export const outpoint = z.string().check(z.regex(/^[0-9a-f]{64}:(?:0|[1-9]\d{0,9})$/));
export const words = z.string().check(z.minLength(1), z.maxLength(500));
/** A WebAuthn credential ID, base64url of at most 1023 bytes (Web Authentication 3, 4). */
export const passkeyId = z.string().check(z.regex(/^[\w-]{1,1364}$/));
/** The output of a passkey's PRF: 32 bytes, overwritten after use. Never stored, logged or included in an error. */
export const passkeyOutput = z.array(z.number().check(z.int(), z.minimum(0), z.maximum(255))).check(z.length(32));
export const approvalId = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/));
export const handle = z.string().check(z.maxLength(100));

export const money = z.string().check(z.minLength(1), z.maxLength(40));
const period = z.enum(['day', 'week', 'month']);
export const token = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/));
export const origin = z.string().check(z.maxLength(2000));
/** An allowance's terms: decimal amounts in `currency`, the maximum per period and optionally per payment. */
export const allowanceTerms = z.strictObject({
  amount: money,
  currency: currencyCode,
  period,
  perPayment: z.nullable(money),
  /** The displayed price of one BSV in `currency` and in dollars, which sets the ceiling. Null if unknown. */
  rate: z.nullable(z.strictObject({ price: money, dollar: money })),
});
export type AllowanceTerms = z.infer<typeof allowanceTerms>;
/** Base URL of a network interface, which the background parses and checks. */
export const interfaceUrl = z.nullable(z.string().check(z.maxLength(500)));
/** An API key, in visible ASCII, that one of the network's URLs requires. Null removes the stored key. */
export const operatorKey = z.optional(z.nullable(z.string().check(z.regex(/^[\x21-\x7e]{1,500}$/))));
export const satoshis = z.string().check(z.regex(/^\d{1,16}$/));
export const recipient = z.string().check(z.minLength(1), z.maxLength(20_000));
/** A recipient as typed, and the amount: a decimal string in `currency`, or null for the remaining balance. */
export const sendRecipient = z.strictObject({ to: recipient, amount: z.nullable(money), currency: currencyCode });
export type SendRecipient = z.infer<typeof sendRecipient>;
/** A recipient with its exact `satoshis`. `amount` is the typed amount, or the value of the remaining balance. */
export const sendOutput = z.strictObject({
  type: z.enum(RECIPIENT_KINDS),
  to: recipient,
  amount: money,
  currency: currencyCode,
  satoshis,
});
export type SendOutput = z.infer<typeof sendOutput>;
/** A token's ID, or an ordinal's outpoint: `txid_vout`. */
export const assetId = z.string().check(z.regex(/^[0-9a-f]{64}_(?:0|[1-9]\d{0,9})$/));
export const contactId = z.string().check(z.minLength(1), z.maxLength(2000));
export const avatarOf = z.strictObject({ paymail: z.string().check(z.minLength(1), z.maxLength(320)) });
/** The durations for which a site can be blocked (hours). */
export const blockHours = z.literal([1, 24]);

export const time = z.number().check(z.int(), z.minimum(0));
/**
 * Selects activity rows that match every criterion. Each word of `search` must occur in the site, a recipient, an
 * address, the transaction ID, an amount or the data. Times are milliseconds since 1970, and `from` is inclusive.
 */
export const activityFilter = z.strictObject({
  search: z.optional(z.string().check(z.maxLength(100))),
  direction: z.optional(z.enum(['sent', 'received'])),
  status: z.optional(z.enum(PAYMENT_STATUSES)),
  from: z.optional(time),
  to: z.optional(time),
});
export type ActivityFilter = z.infer<typeof activityFilter>;
/** The position at which to continue: the `before` of an earlier response. */
export const before = z.optional(z.string().check(z.regex(/^\d{1,16}\/[A-Za-z0-9-]{1,80}$/)));
