/**
 * Shows a swipe's payment in a frame over its button for ten seconds, after the button's own success message. The
 * receipt reveals nothing new to the page, because the response already shows that there was no window.
 */
import { MESSAGE_MS, MAX_SWIPE_FRAMES } from '../../../protocol/messages/wire.ts';
import type { Button } from './buttons.ts';
import type { createCover, isClear, canShowOverlay, Cover } from './cover.ts';

const SHOWN_MS = 10_000;
/** A receipt that hasn't been drawn within this time (milliseconds) is removed. */
const LATE_MS = 5000;

export interface Frames {
  createCover: typeof createCover;
  isClear: typeof isClear;
  canShowOverlay: typeof canShowOverlay;
}

export interface Receipts {
  /** Records that the user accepted this offer by swiping over the button. */
  swiped(id: string, button: Button): void;
  /** Records that the wallet has paid the offer. `secret` is for the receipt's frame. */
  paid(id: string, secret: string): void;
  isStanding(): boolean;
  /** Updates the visible receipts. @returns false if the page has changed a receipt */
  tend(isSlow: boolean): boolean;
  drop(id: string): void;
  /** Removes all receipts, including pending ones. */
  dropAll(): void;
}

/**
 * @param isOffered whether a button can be swiped again, in which case a track replaces the receipt
 * @param wake schedules {@link Receipts.tend} for the next animation frame
 */
export function createReceipts(
  frames: Frames,
  isOffered: (element: HTMLElement) => boolean,
  wake: () => void,
): Receipts {
  /** The swiped buttons, by offer ID. */
  const swipedOver = new Map<string, Button>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const standing = new Map<string, { button: Button; cover: Cover; until: number | null }>();

  function drop(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    const cover = standing.get(id)?.cover;
    standing.delete(id);
    cover?.remove();
  }

  /** Shows a receipt if that is currently possible. Otherwise, only the wallet's activity shows the payment. */
  function show(id: string, secret: string, button: Button): void {
    timers.delete(id);
    if (isOffered(button.element) || !frames.canShowOverlay() || !frames.isClear(button)) return;
    try {
      standing.set(id, { button, cover: frames.createCover(button, { id, secret }), until: null });
    } catch {
      return; // The page blocks the frame.
    }
    wake();
  }

  return {
    swiped(id, button) {
      swipedOver.set(id, button);
      for (const old of [...swipedOver.keys()].slice(0, -MAX_SWIPE_FRAMES)) swipedOver.delete(old);
    },

    paid(id, secret) {
      const button = swipedOver.get(id);
      if (!button) return;
      swipedOver.delete(id);
      timers.set(id, setTimeout(show, MESSAGE_MS, id, secret, button));
    },

    isStanding: () => standing.size > 0,

    tend(isSlow) {
      const now = performance.now();
      for (const [id, one] of standing) {
        const { cover, button } = one;
        if (!cover.isUntouched()) return false;
        if (cover.isShown()) one.until ??= now + SHOWN_MS;
        const isOver = now >= (one.until ?? cover.since + LATE_MS);
        if (isOver || isOffered(button.element) || !cover.follow() || (isSlow && !cover.isClear())) drop(id);
        else if (isSlow) cover.refresh();
      }
      return true;
    },

    drop,

    dropAll() {
      swipedOver.clear();
      for (const id of [...timers.keys(), ...standing.keys()]) drop(id);
    },
  };
}
