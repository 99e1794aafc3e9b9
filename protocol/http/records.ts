/** GET /api/v2/me/records: the service's data about an account's transactions, requested by restored wallets. */
import * as z from 'zod/mini';
import { paidUnit, RECIPIENT_KINDS, sentMetadata } from '../payments/payment.ts';
import { MAX_NOTE } from './paymail.ts';
import { MAX_PAYMAIL } from '../payments/limits.ts';

/** Maximum number of transactions in a request. */
export const MAX_RECORDS_PER_REQUEST = 50;

const txid = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const satoshis = z.string().check(z.regex(/^\d{1,16}$/));
/** A locking script, hex. Longer scripts are omitted. */
const script = z.string().check(z.maxLength(1000), z.regex(/^(?:[0-9a-f]{2})+$/));
const paid = z.array(z.object({ script, satoshis })).check(z.maxLength(100));

/** The query parameters: comma-separated transaction IDs. */
export const recordsQuery = z.strictObject({
  txids: z.string().check(z.regex(new RegExp(`^[0-9a-f]{64}(?:,[0-9a-f]{64}){0,${MAX_RECORDS_PER_REQUEST - 1}}$`))),
});

/** A payment that the account's wallet reported. `scripts` are the transaction's outputs that pay a recipient. */
export const sentRecord = z.object({
  txid,
  origin: z.nullable(z.string().check(z.maxLength(300))),
  clientIdentifier: z.nullable(z.string().check(z.maxLength(100))),
  /** The value at the service's rate at the time, a decimal string in `currency`. Null if the rate was unknown. */
  serviceAmount: z.optional(z.nullable(z.string().check(z.maxLength(40), z.regex(/^\d+(?:\.\d+)?$/)))),
  currency: z.optional(paidUnit),
  ...sentMetadata((most) => z.string().check(z.maxLength(most))),
  outputs: z
    .array(
      z.object({
        type: z.enum(RECIPIENT_KINDS),
        /** The recipient as specified in the payment, or '' for a script. */
        to: z.string().check(z.maxLength(MAX_PAYMAIL)),
        scripts: paid,
      }),
    )
    .check(z.minLength(1), z.maxLength(100)),
});
export type SentRecord = z.infer<typeof sentRecord>;

/** A transaction received by paymail: the outputs that paid the account, the stated sender and the note. */
export const receivedRecord = z.object({
  txid,
  scripts: paid,
  sender: z.nullable(z.string().check(z.maxLength(MAX_PAYMAIL))),
  senderVerified: z.boolean(),
  note: z.nullable(z.string().check(z.maxLength(MAX_NOTE))),
});
export type ReceivedRecord = z.infer<typeof receivedRecord>;

/** Response 200. Omits unknown transactions and those of other accounts. */
export const recordsResponse = z.object({ sent: z.array(sentRecord), received: z.array(receivedRecord) });
/**
 * The same response with unvalidated records. Each record is validated separately so that an invalid one doesn't
 * affect the others.
 */
export const recordsList = z.object({
  sent: z.array(z.unknown()).check(z.maxLength(MAX_RECORDS_PER_REQUEST)),
  received: z.array(z.unknown()).check(z.maxLength(4 * MAX_RECORDS_PER_REQUEST)),
});
