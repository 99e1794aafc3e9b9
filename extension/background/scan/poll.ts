/** Looks for coins and remembers what went wrong. */
import { toWireError, type WireError } from '../../../protocol/errors.ts';
import { refreshCoins } from './refresh.ts';
import { announceChange } from '../events.ts';

let problem: WireError | null = null;

/** What went wrong when the coins were last looked for: nothing, after the worker has restarted. */
export const lastProblem = (): WireError | null => problem;

/**
 * Looks for coins and remembers what went wrong. Never throws.
 * @param all on all addresses: for a person who looks, and when the browser starts
 */
export async function refresh({ all = false } = {}): Promise<void> {
  const before = problem?.code;
  problem = await refreshCoins({ all }).then(() => null, toWireError);
  if (problem?.code === 'wallet-not-set-up') problem = null;
  if (before !== problem?.code) announceChange();
}
