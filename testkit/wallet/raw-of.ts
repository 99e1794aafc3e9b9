import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { readEnvelope } from '../../server/chain/envelope.ts';

/** The raw transaction of a submission, raw or in Extended Format (BRC-30), hexadecimal. */
export function rawOf(submitted: string): string {
  const bytes = readEnvelope(fromHex(submitted)).candidates.at(-1)?.bytes;
  if (!bytes) throw new Error('no transaction was submitted');
  return toHex(bytes);
}
