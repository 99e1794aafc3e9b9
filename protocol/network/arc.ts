/**
 * HTTP bodies of ARC (bitcoin-sv/arc) and Arcade (bsv-blockchain/arcade), used by the wallet, the service and devnet.
 */
import * as z from 'zod/mini';

/** ARC's transaction statuses, in the usual order. */
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
export type ArcStatus = (typeof ARC_STATUSES)[number];

/** Arcade's statuses. `IMMUTABLE` is final. A `STUMP` is a proof that the transaction was mined. */
export const ARCADE_STATUSES = [
  'UNKNOWN',
  'RECEIVED',
  'SENT_TO_NETWORK',
  'ACCEPTED_BY_NETWORK',
  'SEEN_ON_NETWORK',
  'SEEN_MULTIPLE_NODES',
  'DOUBLE_SPEND_ATTEMPTED',
  'REJECTED',
  'PENDING_RETRY',
  'STUMP_PROCESSING',
  'MINED',
  'IMMUTABLE',
] as const;
export type NetworkStatus = ArcStatus | (typeof ARCADE_STATUSES)[number];

const KNOWN_STATUSES: ReadonlySet<string> = new Set([...ARC_STATUSES, ...ARCADE_STATUSES]);
const isKnownStatus = (text: string): text is NetworkStatus => KNOWN_STATUSES.has(text);

/**
 * The response to POST /v1/tx and GET /v1/tx/{txid}. `merklePath` is a BUMP (BRC-74), hex, set after the transaction is
 * mined.
 */
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
export type ArcTransaction = z.infer<typeof arcTransaction>;

/**
 * A transaction as reported by ARC or Arcade. Unknown statuses become `UNKNOWN`. `status` is the code of a rejection
 * (as numbered by ARC), or the HTTP status.
 */
export const networkTransaction = z.object({
  ...arcTransaction.shape,
  txStatus: z.pipe(
    z.string().check(z.minLength(1)),
    z.transform((text: string): NetworkStatus => (isKnownStatus(text) ? text : 'UNKNOWN')),
  ),
  status: z.nullish(z.number()),
});
export type NetworkTransaction = z.output<typeof networkTransaction>;

/** A proof for a block that is no longer part of the chain, as stored by Arcade. */
const orphanedProof = z.object({ blockHash: z.string(), blockHeight: z.number(), merklePath: z.string() });

/** The response to Arcade's GET /tx/{txid}. */
export const arcadeTransaction = z.object({
  txid: z.string(),
  txStatus: z.enum(ARCADE_STATUSES),
  status: z.optional(z.number()),
  timestamp: z.string(),
  blockHash: z.optional(z.string()),
  blockHeight: z.optional(z.number()),
  merklePath: z.optional(z.string()),
  extraInfo: z.optional(z.string()),
  competingTxs: z.optional(z.array(z.string())),
  orphanedProofs: z.optional(z.array(orphanedProof)),
});
export type ArcadeTransaction = z.infer<typeof arcadeTransaction>;

/** An error body from Arcade. `status` is ARC's error code if the reason has one. */
export const arcadeError = z.object({
  error: z.string(),
  reason: z.optional(z.string()),
  txid: z.optional(z.string()),
  status: z.optional(z.number()),
  title: z.optional(z.string()),
  detail: z.optional(z.string()),
});

/** The response to GET /v1/policy. */
export const arcPolicy = z.object({
  policy: z.object({
    maxscriptsizepolicy: z.number(),
    maxtxsizepolicy: z.number(),
    maxtxsigopscountspolicy: z.number(),
    miningFee: z.object({ satoshis: z.number(), bytes: z.number() }),
  }),
});

/** An error body from ARC (RFC 9457). */
export const arcError = z.object({
  status: z.number(),
  title: z.string(),
  detail: z.optional(z.string()),
  extraInfo: z.nullish(z.string()),
  txid: z.nullish(z.string()),
});
