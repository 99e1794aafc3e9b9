import type { WriteTransaction } from '../store/database.ts';
import type { Wallet } from '../platform.ts';

/** Blocks come this far apart on average (milliseconds). */
const BLOCK_MS = 600_000;

/**
 * Estimated time at which a block of that height was mined (milliseconds since 1970), by the nearest stored header
 * above it, or the last one. Only sorts unproven transactions and is never shown. Now, if no header is stored.
 */
export async function likelyTime(wallet: Wallet, tx: WriteTransaction, height: number): Promise<number> {
  const heights = tx.objectStore('headers').index('height');
  const above = await heights.openCursor(IDBKeyRange.lowerBound(height));
  const near = above ?? (await heights.openCursor(null, 'prev'));
  if (!near) return wallet.now();
  return Math.min(wallet.now(), near.value.time * 1000 - (near.value.height - height) * BLOCK_MS);
}
