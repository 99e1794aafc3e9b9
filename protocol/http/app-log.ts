/**
 * /api/v2/me/app-log: a wallet's log of application data, stored by its account's service in encrypted blocks. The
 * service sees only the blocks' sizes and times.
 */
import * as z from 'zod/mini';

/** The possible sizes of an encrypted block (bytes). Padding hides the content's size. */
export const BLOCK_SIZES = [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536] as const;
export const MAX_BLOCK = 65_536;

/** Maximum number and total bytes of an account's blocks. Both are doubled while a wallet replaces its log. */
export const APP_LOG_LIMITS = { blocks: 4_000, bytes: 16_777_216 } as const;

/** The block's writer: 8 random bytes, in hexadecimal, that identify a wallet in one browser. */
const writer = z.string().check(z.regex(/^[0-9a-f]{16}$/));
/** The writer's sequence number for the block, starting at 1. */
const sequence = z.int().check(z.minimum(1), z.maximum(1e9));
/** The encrypted bytes, base64. */
const block = z
  .string()
  .check(
    z.maxLength(Math.ceil(MAX_BLOCK / 3) * 4),
    z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
    z.minLength(4),
  );
/** The block's position in the account's log, increasing and unique. */
const position = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER));

/** POST …/blocks. Idempotent for the same writer and sequence number. */
export const appendBlock = z.strictObject({
  writer,
  sequence,
  block,
  /** True if the block is part of a replacement for all previous blocks. Such blocks may use up to twice the limits. */
  replaces: z.boolean(),
});
export const appendedBlock = z.object({ position });

/** GET …/blocks?after=…: only blocks after this position. */
export const blocksQuery = z.strictObject({ after: z.optional(z.string().check(z.regex(/^\d{1,15}$/))) });
/** The blocks in ascending order of position, as many as fit into one response. */
export const blocksResponse = z.object({
  blocks: z.array(z.object({ position, writer, sequence, block })).check(z.maxLength(1000)),
  more: z.boolean(),
});
export type StoredBlock = z.infer<typeof blocksResponse>['blocks'][number];

/** POST …/removal: removes all blocks up to this position. Idempotent. */
export const blocksRemoval = z.strictObject({ through: position });
export const appLogSize = z.object({ blocks: z.int(), bytes: z.int() });
