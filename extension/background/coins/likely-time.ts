import type { WriteTransaction } from '../database.ts';

/** Blocks come this far apart on average (milliseconds). */
const BLOCK_MS = 600_000;

/**
 * About when a block of that height was mined (milliseconds since 1970), by the nearest header above it that is held, or
 * the last one: what is not proven yet is sorted by it, and it is never shown. Now, where no header is held.
 */
export async function likelyTime(tx: WriteTransaction, height: number): Promise<number> {
  const heights = tx.objectStore('headers').index('height');
  const above = await heights.openCursor(IDBKeyRange.lowerBound(height));
  const near = above ?? (await heights.openCursor(null, 'prev'));
  if (!near) return Date.now();
  return Math.min(Date.now(), near.value.time * 1000 - (near.value.height - height) * BLOCK_MS);
}
