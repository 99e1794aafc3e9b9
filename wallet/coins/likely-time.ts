import type { WriteTransaction } from '../store/database.ts';
import { headerNear } from '../chain/headers/store.ts';
import type { Wallet } from '../platform.ts';

/** Average time between blocks (milliseconds). */
const BLOCK_MS = 600_000;

/**
 * Estimates when the block at a height was mined (milliseconds since 1970), from the nearest stored header above it or,
 * if there is none, the last header. Returns the current time if no header is stored. Used only to sort unproven
 * transactions, never displayed.
 */
export async function likelyTime(wallet: Wallet, tx: WriteTransaction, height: number): Promise<number> {
  const near = await headerNear(wallet, tx, height);
  if (!near) return wallet.now();
  return Math.min(wallet.now(), near.time * 1000 - (near.height - height) * BLOCK_MS);
}
