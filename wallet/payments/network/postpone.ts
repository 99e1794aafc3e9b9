import { restoreOutputs } from './conflicts.ts';
import type { PaymentRecord } from '../record.ts';
import { isOnlyWatched } from '../move.ts';
import { MINUTE_MS, nextTry, nextWatch } from '../retry.ts';
import { transition } from '../store.ts';
import { noteMissing } from './shown-rival.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Postpones the next step of a signed payment: the broadcast, or the confirmation once the payment is accepted.
 * @param found the attempt's findings, stored in the same transaction so that a dropped transaction's change isn't
 * spent before the network has that transaction again
 * @param waitMs minimum delay requested by an operator, in milliseconds
 */
export async function postpone(
  wallet: Wallet,
  id: string,
  problem: string | null,
  found: Partial<Pick<PaymentRecord, 'trouble' | 'seenAt'>> = {},
  waitMs = 0,
): Promise<void> {
  const isOnNetwork = found.trouble === null || found.trouble === 'slow';
  if (!isOnNetwork) await noteMissing(wallet, id);
  await transition(wallet, id, ['signed', 'broadcast', 'settled'], async (record, tx) => {
    const { state, trouble, broadcast, confirmation, replacedBy } = record;
    if (state === 'signed') {
      const isWatched = isOnlyWatched({ ...record, ...found });
      const next = isWatched ? nextWatch(wallet, broadcast, problem) : nextTry(wallet, broadcast, problem, MINUTE_MS);
      return { ...found, broadcast: { ...next, nextAt: Math.max(next.nextAt, wallet.now() + waitMs) } };
    }
    const isUnseen = found.trouble === 'unseen';
    if (found.trouble !== undefined && (isUnseen || trouble === 'unseen') && !replacedBy)
      await restoreOutputs(wallet, tx, record, isUnseen ? 'pending' : 'available');
    return { ...found, confirmation: nextTry(wallet, confirmation, problem, MINUTE_MS) };
  });
}
