/** Payments by swipes, for the frames that show them. In memory, because the activity has them as well. */
import { part } from '../platform.ts';
import { randomId } from '../prompts/store.ts';
import type { SwipeView } from '../../protocol/messages/swipe-messages.ts';
import { MOST_SWIPE_FRAMES } from '../../protocol/messages/wire.ts';

/** If no frame has asked by then, there is none (milliseconds). The button's own message is shown first. */
const LIFE_MS = 15_000;

export interface Receipt {
  /** The document, by the port of its relay; its tab. */
  client: object;
  tab: number;
  id: string;
  payment: string;
  view: SwipeView;
}

/** See the head of this file. */
export interface Receipts {
  /** @returns the secret by which one frame of that tab gets it */
  make(receipt: Receipt): string;
  /** A frame presents a secret. @returns the content to show, once */
  take(secret: string, tab: number): Receipt | null;
  /** A relay's port is closed. */
  gone(client: object): void;
}

/** @param now milliseconds since 1970 */
export function createReceipts(randomId: () => string, now: () => number): Receipts {
  const receipts = new Map<string, Receipt & { madeAt: number }>();
  return {
    make(receipt) {
      const own = [...receipts].filter(([, one]) => one.client === receipt.client);
      // Drops the oldest, which no frame has asked for.
      for (const [old] of own.slice(0, Math.max(0, own.length - MOST_SWIPE_FRAMES + 1))) receipts.delete(old);
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

/** The receipts of this run of the worker. */
export const receipts = part((wallet) => createReceipts(() => randomId(wallet), wallet.now));
