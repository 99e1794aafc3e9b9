/**
 * Receipts of payments by trusted swipes, for display in frames. Kept only in memory, because the activity also lists
 * these payments.
 */
import { part } from '../platform.ts';
import { randomId } from '../prompts/store.ts';
import type { SwipeView } from '../../protocol/messages/swipe-messages.ts';
import { MAX_SWIPE_FRAMES } from '../../protocol/messages/wire.ts';

/** How long a frame can request its receipt (milliseconds). The button's own message is shown first. */
const LIFE_MS = 15_000;

export interface Receipt {
  /** The relay's port, which identifies the document. */
  client: object;
  tab: number;
  id: string;
  payment: string;
  view: SwipeView;
}

/** The receipts of one worker run. */
export interface Receipts {
  /** Stores a receipt. @returns the secret with which one frame of that tab can read it */
  make(receipt: Receipt): string;
  /** Returns the receipt for a secret, only once and only in the same tab; null if there is none, or it has expired. */
  take(secret: string, tab: number): Receipt | null;
  /** Deletes a relay's receipts after its port was closed. */
  gone(client: object): void;
}

/** @param now returns milliseconds since 1970 */
export function createReceipts(randomId: () => string, now: () => number): Receipts {
  const receipts = new Map<string, Receipt & { madeAt: number }>();
  return {
    make(receipt) {
      const own = [...receipts].filter(([, one]) => one.client === receipt.client);
      // Drops the oldest receipts, which no frame has requested.
      for (const [old] of own.slice(0, Math.max(0, own.length - MAX_SWIPE_FRAMES + 1))) receipts.delete(old);
      const secret = randomId();
      receipts.set(secret, { ...receipt, madeAt: now() });
      return secret;
    },
    take(secret, tab) {
      const receipt = receipts.get(secret);
      if (receipt?.tab !== tab) return null;
      receipts.delete(secret);
      return Math.abs(now() - receipt.madeAt) <= LIFE_MS ? receipt : null;
    },
    gone(client) {
      for (const [secret, receipt] of receipts) if (receipt.client === client) receipts.delete(secret);
    },
  };
}

export const receipts = part((wallet) => createReceipts(() => randomId(wallet), wallet.now));
