import type { LedgerNode } from './node.ts';

/** Intervals per block while no transactions are waiting. Limits an idle ledger's growth (250 bytes per block). */
const IDLE_TURNS = 10;

/**
 * Mines a block every `intervalMs` (0: never), or only at every tenth interval while no transactions are waiting.
 * @returns a function that stops mining
 */
export function startMining(node: LedgerNode, intervalMs: number, onError: (error: unknown) => void): () => void {
  if (intervalMs <= 0) return () => undefined;
  let idle = 0;
  let busy = false;
  const turn = async (): Promise<void> => {
    // Skips this interval if the previous one is still mining.
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
  // An active timer would keep the process alive.
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
