/**
 * /api/v2/me/app-log: a wallet's log of applications' data, kept at its account's service in sealed blocks. The service
 * sees only their sizes and times. Second generation of the HTTP interface.
 */
import * as z from 'zod/mini';

/** A sealed block has one of these sizes (bytes), to hide the size of its content. */
export const BLOCK_SIZES = [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536] as const;
export const MAX_BLOCK = 65_536;

/** Maximum numbers of an account's blocks and of their bytes, doubled while a wallet replaces its log. */
export const APP_LOG_LIMITS = { blocks: 4_000, bytes: 16_777_216 } as const;

/** A block's writer: 8 random bytes of one wallet in one browser, hex. */
const writer = z.string().check(z.regex(/^[0-9a-f]{16}$/));
/** The block's sequence number for its writer, from 1. */
const sequence = z.int().check(z.minimum(1), z.maximum(1e9));
/** The sealed bytes, base64. */
const block = z
  .string()
  .check(
    z.maxLength(Math.ceil(MAX_BLOCK / 3) * 4),
    z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
    z.minLength(4),
  );
/** Its position in the account's log, increasing and unique. */
const position = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER));

/** POST …/blocks. Writer and sequence are its id, by which repeating it has no effect. */
export const appendBlock = z.strictObject({
  writer,
  sequence,
  block,
  /** The block is part of a replacement for all previous blocks, which may exceed the limits. */
  replaces: z.boolean(),
});
export const appendedBlock = z.object({ position });

/** GET …/blocks?after=…: only what came after this position. */
export const blocksQuery = z.strictObject({ after: z.optional(z.string().check(z.regex(/^\d{1,15}$/))) });
/** The response, ordered by position, up to a maximum size. */
export const blocksResponse = z.object({
  blocks: z.array(z.object({ position, writer, sequence, block })).check(z.maxLength(1000)),
  more: z.boolean(),
});
/** A block of the response. */
export type StoredBlock = z.infer<typeof blocksResponse>['blocks'][number];

/** POST …/removal: removes all blocks up to this position. Idempotent. */
export const blocksRemoval = z.strictObject({ through: position });
export const appLogSize = z.object({ blocks: z.int(), bytes: z.int() });
