import { fromHex, isHex } from '../../../protocol/bitcoin/bytes.ts';
import { EnvelopeError } from '../../chain/envelope-error.ts';
import { readEnvelope, type Envelope } from '../../chain/envelope.ts';
import type { LedgerTransaction } from '../ledger/ledger.ts';
import type { LedgerNode } from '../ledger/node.ts';
import { MAX_TRANSACTION_SIZE } from './policy.ts';
import { LedgerRejection } from './rejection.ts';

/** Decodes a hex string. @throws LedgerRejection 400 */
export function hexBytes(text: unknown): Uint8Array {
  if (typeof text !== 'string' || text === '' || !isHex(text))
    throw new LedgerRejection(400, 'rawTx is not hexadecimal');
  return text.length > 1_000_000 ? new Uint8Array(Buffer.from(text, 'hex')) : fromHex(text);
}

/**
 * Accepts a transaction in any supported format. New ancestors in a BEEF are verified like any other transaction, and
 * merkle paths must match this chain's headers.
 * @throws LedgerRejection, ServiceError `service-unavailable`
 */
export async function broadcast(node: LedgerNode, bytes: Uint8Array): Promise<LedgerTransaction> {
  // Twice the limit, because Extended Format also contains the spent outputs.
  if (bytes.length > 2 * MAX_TRANSACTION_SIZE)
    throw new LedgerRejection(474, 'the transaction exceeds the maximum size');
  const { proofs, candidates } = opened(bytes);
  for (const { height, root } of proofs) {
    if (node.ledger.block(height)?.header.merkleRoot !== root)
      throw new LedgerRejection(469, `a merkle path does not lead to block ${height}`);
  }
  let last: LedgerTransaction | null = null;
  for (const candidate of candidates) last = await node.submit(candidate);
  if (!last) throw new LedgerRejection(400, 'the request contains no transaction');
  return last;
}

/** Splits a submission into proofs and transactions. @throws LedgerRejection 463, 467 or 468 */
export function opened(bytes: Uint8Array): Envelope {
  try {
    return readEnvelope(bytes);
  } catch (cause) {
    throw cause instanceof EnvelopeError ? new LedgerRejection(cause.status, cause.message, { cause }) : cause;
  }
}
