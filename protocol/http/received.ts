/**
 * API v2 bodies for transactions that a paymail host received for a wallet and stores until the wallet fetches them.
 */
import * as z from 'zod/mini';
import { lowerCaseHex } from './hex.ts';

const satoshis = z.string().check(z.regex(/^\d{1,16}$/));
const hex = lowerCaseHex(20_000_000);

/** A transaction that paid one of this user's destinations. */
export const receivedTransaction = z.object({
  id: z.string().check(z.maxLength(100)),
  txid: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  rawtx: hex,
  satoshis,
  /** The outputs that the sender requested: script, satoshis, and the address index under `m/44'/236'/2'/0`. */
  outputs: z
    .array(z.object({ script: hex, satoshis, index: z.int().check(z.minimum(0), z.maximum(0x7fff_ffff)) }))
    .check(z.minLength(1), z.maxLength(50)),
  paymentId: z.string(),
  sender: z.nullable(z.string()),
  /** True if the stated sender's host confirms that the sender owns the key that signed the transaction's ID. */
  senderVerified: z.boolean(),
  note: z.nullable(z.string()),
  createdAt: z.string(),
});
export type ReceivedTransaction = z.infer<typeof receivedTransaction>;

/**
 * Query parameters of GET /api/v2/me/received: returns only transactions after the one with this ID, which may already
 * be acknowledged.
 */
export const receivedQuery = z.strictObject({ after: z.optional(z.string().check(z.maxLength(100))) });
/** GET /api/v2/me/received: unacknowledged transactions, oldest first, as many as fit into one response. */
export const receivedResponse = z.object({ received: z.array(receivedTransaction), more: z.boolean() });
/** POST /api/v2/me/received/acknowledgements */
export const acknowledgement = z.strictObject({
  ids: z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.minLength(1), z.maxLength(100)),
});
/** 200 response: the number of transactions acknowledged. IDs that are unknown or belong to other users are ignored. */
export const acknowledgementResponse = z.object({ acknowledged: z.int() });

/** GET /api/v2/users/{id}/paymail: the paymail of the user with this ID. 404 `unknown-recipient`. */
export const userPaymailResponse = z.object({ id: z.string(), paymail: z.string(), name: z.string() });
