import * as z from 'zod/mini';

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** Schema of a header in WhatsOnChain's format. */
export const header = z.object({
  hash,
  height: z.int(),
  version: z.int(),
  merkleroot: hash,
  time: z.int(),
  nonce: z.int(),
  bits: z.string(),
  previousblockhash: z.nullish(z.string()),
});

export type Header = z.infer<typeof header>;
