import type { LedgerNode } from './node.ts';

/** Without transactions, only every tenth interval mines a block (about 250 bytes), to keep an idle ledger small. */
const IDLE_TURNS = 10;

/**
 * Mines every `intervalMs` with waiting transactions, and every tenth time anyway; 0: never. @returns a stop function
 */
export function startMining(node: LedgerNode, intervalMs: number, onError: (error: unknown) => void): () => void {
  if (intervalMs <= 0) return () => undefined;
  let idle = 0;
  let busy = false;
  const turn = async (): Promise<void> => {
    // Mining that takes longer than the interval must not queue up.
    if (busy) return;
    idle += 1;
    if (node.ledger.mempool.size === 0 && idle < IDLE_TURNS) return;
    idle = 0;
    busy = true;
    try {
      await node.mine(1);
    } catch (error) {
      onError(error);
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => {
    void turn();
  }, intervalMs);
  // The timer must not keep the process alive.
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
