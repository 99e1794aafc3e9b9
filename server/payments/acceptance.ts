/** What ARC's answer means for a payment. Pure. */
import type { ArcStatus, ArcTransaction } from '../../protocol/arc.ts';
import { ServiceError } from '../../protocol/errors.ts';
import type { FinalStatus } from './stored-payment.ts';

/** Nodes have checked and taken the transaction. */
const TAKEN: ReadonlySet<ArcStatus> = new Set([
  'ACCEPTED_BY_NETWORK',
  'SEEN_ON_NETWORK',
  'MINED_IN_STALE_BLOCK',
  'MINED',
]);
/** ARC has it, but no node has accepted it yet. */
const ON_ITS_WAY: ReadonlySet<ArcStatus> = new Set([
  'QUEUED',
  'RECEIVED',
  'STORED',
  'ANNOUNCED_TO_NETWORK',
  'REQUESTED_BY_NETWORK',
  'SENT_TO_NETWORK',
]);

/** Has ARC more to say than that it does not know it, or that it is on its way? */
export const isDecided = (found: ArcTransaction | null): boolean => found !== null && !ON_ITS_WAY.has(found.txStatus);

/**
 * Refuses what the network has not taken.
 * @param found ARC's answer, null where it knows no such transaction
 * @throws ServiceError `not-accepted`; `network-unavailable` while the transaction is still on its way (report it
 * again)
 */
export function assertAccepted(found: ArcTransaction | null): void {
  if (found && TAKEN.has(found.txStatus)) return;
  const detail = `ARC says ${found?.txStatus ?? 'nothing'}`;
  if (found && ON_ITS_WAY.has(found.txStatus)) {
    throw new ServiceError('network-unavailable', {
      message: 'The network has not taken this transaction yet. Report it again in a moment.',
      detail,
    });
  }
  throw new ServiceError('not-accepted', { detail });
}

/**
 * The final status that ARC's answer gives a received payment, or null while it is open. A contested or forgotten
 * transaction may still be mined, so only a definite answer ends it.
 */
export function finalStatus(found: ArcTransaction | null): FinalStatus | null {
  if (found?.txStatus === 'MINED') return { status: 'COMPLETED', description: null };
  if (found?.txStatus === 'REJECTED') return { status: 'FAILED', description: 'The network rejected the transaction.' };
  return null;
}
