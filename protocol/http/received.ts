/** API v2: transactions that paymail hosts received for a wallet, until it fetches them. */
import * as z from 'zod/mini';

const satoshis = z.string().check(z.regex(/^\d{1,16}$/));
const hex = z.string().check(z.regex(/^(?:[0-9a-f]{2})+$/));

/** One transaction that paid a destination of this user. */
export const receivedTransaction = z.object({
  id: z.string().check(z.maxLength(100)),
  txid: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  rawtx: hex,
  satoshis,
  /** The requested outputs: script, value, and the index of the address on `m/44'/236'/2'/0`. */
  outputs: z
    .array(z.object({ script: hex, satoshis, index: z.int().check(z.minimum(0), z.maximum(0x7fff_ffff)) }))
    .check(z.minLength(1), z.maxLength(50)),
  paymentId: z.string(),
  sender: z.nullable(z.string()),
  /** True if the stated sender's own host confirms that the key which signed the transaction's id is the sender's. */
  senderVerified: z.boolean(),
  note: z.nullable(z.string()),
  createdAt: z.string(),
});
export type ReceivedTransaction = z.infer<typeof receivedTransaction>;

/** Query of GET /api/v2/me/received: only transactions after the one with this id, which may be acknowledged by now. */
export const receivedQuery = z.strictObject({ after: z.optional(z.string().check(z.maxLength(100))) });
/** GET /api/v2/me/received: unacknowledged transactions, oldest first, as many as fit into one response. */
export const receivedResponse = z.object({ received: z.array(receivedTransaction), more: z.boolean() });
/** POST /api/v2/me/received/acknowledgements */
export const acknowledgement = z.strictObject({
  ids: z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.minLength(1), z.maxLength(100)),
});
/** 200: the number that were waiting. Others' ids and unknown ones are ignored. */
export const acknowledgementResponse = z.object({ acknowledged: z.int() });

/** GET /api/v2/users/{id}/paymail: the paymail of the user with this id. 404 `unknown-recipient`. */
export const userPaymailResponse = z.object({ id: z.string(), paymail: z.string(), name: z.string() });
