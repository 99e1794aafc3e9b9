/**
 * Payments that the network accepted only after their page had received another result, so that the user may pay again.
 */
import type { PaymentRecord } from '../record.ts';
import { PATIENCE_ATTEMPTS } from '../move.ts';
import type { Wallet } from '../../platform.ts';

/**
 * How long another attempt warns of a payment that a block confirmed late: a day by this clock (milliseconds) and by
 * blocks, because setting the clock ahead must not end it.
 */
const WARNED_MS = 24 * 3600_000;
const WARNED_BLOCKS = 144;

/** The parts of a payment that show whether its page was notified that the network doesn't accept it. */
type Answered = Pick<PaymentRecord, 'cancel' | 'sweep' | 'action' | 'broadcast'>;

const wasRejected = ({ broadcast: { problem, attempts } }: Pick<PaymentRecord, 'broadcast'>) =>
  problem === 'network-rejected' || (problem === 'payment-contested' && attempts >= PATIENCE_ATTEMPTS);

/**
 * Whether a payment was accepted late, and neither its page nor the user is known to have learned that.
 * @param tip height of the last block; null if unknown
 */
export function isTakenLate(wallet: Wallet, record: PaymentRecord, tip: number | null): boolean {
  const { state, height, knownPaid, takenLate, createdAt } = record;
  if ((state !== 'broadcast' && state !== 'settled') || knownPaid) return false;
  const isInRecentBlock = height === null || tip === null || tip - height < WARNED_BLOCKS;
  const isRecent = isInRecentBlock || Math.abs(wallet.now() - createdAt) < WARNED_MS;
  return (takenLate === true && isRecent) || (height === null && wasRejected(record));
}

/** The mark of a payment that a block confirms late. Users don't repeat an application's actions. */
export function markOfLate(record: Answered): Pick<PaymentRecord, 'takenLate'> {
  const { cancel, sweep, action } = record;
  return !cancel && !sweep && !action && wasRejected(record) ? { takenLate: true } : {};
}
