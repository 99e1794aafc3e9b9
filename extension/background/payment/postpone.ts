/** Notes why a payment did not go on, and when to try again: after 1 s, 2 s, 4 s … up to a minute. */
import type { PaymentRecord } from './record.ts';
import { transition } from './transition.ts';

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;

/**
 * Postpones a signed payment, by a given time (milliseconds) or by twice the last one.
 * @param found what was found out about it, stored along
 */
export async function postpone(
  id: string,
  problem: string | null,
  delayMs?: number,
  found: Pick<PaymentRecord, 'trouble' | 'seenAt'> = {},
): Promise<void> {
  await transition(id, ['signed', 'broadcast', 'settled'], ({ delivery }) => {
    const attempts = delivery.attempts + 1;
    const delay = delayMs ?? Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 10));
    return { ...found, delivery: { attempts, nextAt: Date.now() + delay, problem } };
  });
}
