import type { WriteTransaction } from '../store/database.ts';
import { headerNear } from '../chain/headers/store.ts';
import type { Wallet } from '../platform.ts';

/** Average time between blocks (milliseconds). */
const BLOCK_MS = 600_000;

/**
 * Estimated time at which a block of that height was mined (milliseconds since 1970), by the nearest stored header
 * above it, or the last one. Only sorts unproven transactions and is never shown. The current time if no header is
 * stored.
 */
export async function likelyTime(wallet: Wallet, tx: WriteTransaction, height: number): Promise<number> {
  const near = await headerNear(tx, height);
  if (!near) return wallet.now();
  return Math.min(wallet.now(), near.time * 1000 - (near.height - height) * BLOCK_MS);
}
