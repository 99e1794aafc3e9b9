/** Notes why a payment's broadcast, or its confirmation, did not come about, and when to try again. */
import type { PaymentRecord } from './record.ts';
import { MINUTE_MS, nextTry } from './retry.ts';
import { transition } from './transition.ts';

/**
 * Postpones what a signed payment waits for: its broadcast, or once that is done its block.
 * @param found what was found out about it, stored along
 */
export async function postpone(
  id: string,
  problem: string | null,
  found: Partial<Pick<PaymentRecord, 'trouble' | 'seenAt'>> = {},
): Promise<void> {
  await transition(id, ['signed', 'broadcast', 'settled'], ({ state, broadcast, confirmation }) =>
    state === 'signed'
      ? { ...found, broadcast: nextTry(broadcast, problem, MINUTE_MS) }
      : { ...found, confirmation: nextTry(confirmation, problem, MINUTE_MS) },
  );
}
