/**
 * Finds payments that the network accepted after their page had received a different result, because the user may pay
 * again.
 */
import type { LightPayment, PaymentRecord } from '../record.ts';
import { PATIENCE_ATTEMPTS } from '../move.ts';
import type { Wallet } from '../../platform.ts';

/** How long a retry triggers a warning about a payment that was accepted late, in milliseconds. */
const WARNED_MS = 24 * 3600_000;
/** The warning also lasts for this many blocks after confirmation, even if the clock is set ahead. */
const WARNED_BLOCKS = 144;

/** The parts of a payment that show whether its page got a rejection. */
type Answered = Pick<PaymentRecord, 'cancel' | 'sweep' | 'action' | 'broadcast' | 'wasRejected'>;

/** Records from earlier versions lack the flag. Only the problem with their last attempt reveals a rejection. */
const wasRejected = ({ wasRejected: flag, broadcast: { problem, attempts } }: Answered) =>
  flag === true || problem === 'network-rejected' || (problem === 'payment-contested' && attempts >= PATIENCE_ATTEMPTS);

/**
 * True if a payment was accepted late, and neither its page nor the user is known to be aware of its success.
 * @param tip height of the last block; null if unknown
 */
export function isAcceptedLate(wallet: Wallet, record: LightPayment, tip: number | null): boolean {
  const { state, height, knownPaid, takenLate, createdAt } = record;
  if ((state !== 'broadcast' && state !== 'settled') || knownPaid) return false;
  const isInRecentBlock = height === null || tip === null || tip - height < WARNED_BLOCKS;
  const isRecent = isInRecentBlock || Math.abs(wallet.now() - createdAt) < WARNED_MS;
  return (takenLate === true && isRecent) || (height === null && wasRejected(record));
}

/**
 * Flags a mined payment whose page has received a rejection. Excludes cancellations, sweeps and actions, which users
 * don't repeat.
 */
export function markOfLate(record: Answered): Pick<PaymentRecord, 'takenLate'> {
  const { cancel, sweep, action } = record;
  return !cancel && !sweep && !action && wasRejected(record) ? { takenLate: true } : {};
}
