/** Mines by the clock. */
import type { LedgerNode } from './node.ts';

/** With nothing to put in, only every tenth turn makes a block: an idle ledger grows by some 250 bytes each. */
const IDLE_TURNS = 10;

/**
 * Mines every `intervalMs` milliseconds when transactions wait, and every tenth turn anyway. 0 mines never.
 * @returns what stops it
 */
export function startMining(node: LedgerNode, intervalMs: number, onError: (error: unknown) => void): () => void {
  if (intervalMs <= 0) return () => undefined;
  let idle = 0;
  let busy = false;
  const turn = async (): Promise<void> => {
    // A turn that takes longer than the interval must not pile up others behind it.
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
  // The ledger alone does not keep the server from ending.
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
