/** ARC's HTTP interface (bitcoin-sv/arc): the part that wallet, service and the embedded ledger share. */
import * as z from 'zod/mini';

/** ARC's transaction statuses, in the order in which a transaction usually passes them. */
export const ARC_STATUSES = [
  'UNKNOWN',
  'QUEUED',
  'RECEIVED',
  'STORED',
  'ANNOUNCED_TO_NETWORK',
  'REQUESTED_BY_NETWORK',
  'SENT_TO_NETWORK',
  'ACCEPTED_BY_NETWORK',
  'SEEN_IN_ORPHAN_MEMPOOL',
  'SEEN_ON_NETWORK',
  'DOUBLE_SPEND_ATTEMPTED',
  'REJECTED',
  'MINED_IN_STALE_BLOCK',
  'MINED',
] as const;
/** One of {@link ARC_STATUSES}. */
export type ArcStatus = (typeof ARC_STATUSES)[number];

/** Answer of POST /v1/tx and GET /v1/tx/{txid}. `merklePath` is a BUMP (BRC-74), hex, once mined. */
export const arcTransaction = z.object({
  txid: z.string(),
  txStatus: z.enum(ARC_STATUSES),
  blockHash: z.nullish(z.string()),
  blockHeight: z.nullish(z.number()),
  merklePath: z.nullish(z.string()),
  extraInfo: z.nullish(z.string()),
  competingTxs: z.nullish(z.array(z.string())),
  timestamp: z.nullish(z.string()),
});
/** See {@link arcTransaction}. */
export type ArcTransaction = z.infer<typeof arcTransaction>;

/** Answer of GET /v1/policy. */
export const arcPolicy = z.object({
  policy: z.object({
    maxscriptsizepolicy: z.number(),
    maxtxsizepolicy: z.number(),
    maxtxsigopscountspolicy: z.number(),
    miningFee: z.object({ satoshis: z.number(), bytes: z.number() }),
  }),
});

/** An error body of ARC (RFC 9457's form). */
export const arcError = z.object({
  status: z.number(),
  title: z.string(),
  detail: z.optional(z.string()),
  extraInfo: z.nullish(z.string()),
  txid: z.nullish(z.string()),
});
