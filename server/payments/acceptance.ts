/** Maps an operator's transaction status to a payment's status. Pure. */
import type { NetworkTransaction } from '../../protocol/network/arc.ts';
import { outcomeOf, stageOf } from '../../protocol/network/broadcaster/outcome.ts';
import type { NetworkStanding } from '../../protocol/payments/payment-types.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { FinalStatus } from './stored-payment.ts';

/** True if the transaction is no longer pending. */
export const isDecided = (found: NetworkTransaction | null): boolean => found !== null && stageOf(found) !== 'pending';

/**
 * Throws unless a transaction is accepted.
 * @param found null if unknown to the network
 * @throws ServiceError `not-accepted`, `network-unavailable` (still pending, so report it again)
 */
export function assertAccepted(found: NetworkTransaction | null): void {
  const stage = found && stageOf(found);
  if (stage === 'accepted' || stage === 'mined') return;
  const detail = `the network’s status is ${found?.txStatus ?? 'unknown'}`;
  if (stage === 'pending') {
    throw new ServiceError('network-unavailable', {
      message: 'The network has not accepted this transaction yet. Report it again in a moment.',
      detail,
    });
  }
  throw new ServiceError('not-accepted', { detail });
}

export function standingOf(found: NetworkTransaction | null): NetworkStanding {
  const stage = found ? stageOf(found) : 'pending';
  if (stage === 'accepted' || stage === 'mined') return 'seen';
  return stage === 'pending' ? 'unknown' : 'contested';
}

export const REJECTED: FinalStatus = { status: 'FAILED', description: 'The network rejected the transaction.' };
export const GIVEN_UP: FinalStatus = {
  status: 'FAILED',
  description: 'The network has not accepted the transaction for three days.',
};

/**
 * Returns a received payment's final status according to the network, or null while it is open. A contested or
 * forgotten transaction can still be mined, so only a rejection is final.
 */
export function finalStatus(found: NetworkTransaction | null): FinalStatus | null {
  if (found && stageOf(found) === 'mined') return { status: 'COMPLETED', description: null };
  if (found && outcomeOf(found).kind === 'refused') return REJECTED;
  return null;
}
