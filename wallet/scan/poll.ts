import { toWireError, type WireError } from '../../protocol/errors/service-error.ts';
import { refreshCoins } from './refresh.ts';
import { announceChange } from '../events.ts';
import { part, type Wallet } from '../platform.ts';

const memoryOf = part(() => ({
  problem: null as WireError | null,
}));

/** Returns the error from the last search for coins; null after the worker restarts. */
export const lastProblem = (wallet: Wallet): WireError | null => memoryOf(wallet).problem;

/** Searches for coins and stores the error, if any. Never throws. @param all searches all addresses */
export async function refresh(wallet: Wallet, { all = false } = {}): Promise<void> {
  const memory = memoryOf(wallet);
  const before = memory.problem?.code;
  memory.problem = await refreshCoins(wallet, { all }).then(() => null, toWireError);
  if (memory.problem?.code === 'wallet-not-set-up') memory.problem = null;
  if (before !== memory.problem?.code) announceChange(wallet);
}
