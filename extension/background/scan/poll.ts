import { toWireError, type WireError } from '../../../protocol/errors.ts';
import { refreshCoins } from './refresh.ts';
import { announceChange } from '../events.ts';

let problem: WireError | null = null;

/** The error of the last search for coins: null after the worker has restarted. */
export const lastProblem = (): WireError | null => problem;

/** Searches for coins, and remembers errors. Never throws. @param all on all addresses */
export async function refresh({ all = false } = {}): Promise<void> {
  const before = problem?.code;
  problem = await refreshCoins({ all }).then(() => null, toWireError);
  if (problem?.code === 'wallet-not-set-up') problem = null;
  if (before !== problem?.code) announceChange();
}
