/** A block header. */
import * as z from 'zod/mini';

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** Its schema, in the index's form. */
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

/** A block header's fields. */
export type Header = z.infer<typeof header>;
