/**
 * While the wallet accepts swipes, puts the wallet's overlay frames over the buttons nearest to the pointer. If a page
 * tampers with a frame, it gets no more frames, and its payments are confirmed in a window. Messages are documented in
 * protocol/messages/swipe-messages.ts.
 */
import type { FromRelay, ToRelay } from '../../../protocol/messages/swipe-messages.ts';
import { MAX_SWIPE_FRAMES, SWIPED_EVENT } from '../../../protocol/messages/wire.ts';
import { createBudget } from './budget.ts';
import { watchButtons, type Button } from './buttons.ts';
import { createCover, isClear, canShowOverlay, type Cover } from './cover.ts';
import { nearest, type PointerPosition } from './pointer.ts';
import { createReceipts, type Frames } from './receipts.ts';

/** The expensive checks run once per this many animation frames. */
const SLOW_TURN = 8;
/** Interval between attempts to cover a button while no button has a frame (milliseconds). */
const LATER_MS = 300;
/**
 * A cover that hasn't moved for this long (milliseconds) is considered still. Long enough for the frame's own check.
 */
const STILL_MS = 500;
/** Maximum burst of offers. Offers are limited, because each one creates work for the wallet. */
const OFFER_BURST = 6;
/** A button gets no more frames after this many were removed within a second of their creation. */
const MAX_REMOVED_FRAMES = 5;
/** If a frame isn't drawn within this time (milliseconds), its button gets no more frames. */
const LATE_MS = 30_000;

/** Functions provided by the relay. */
export interface Surroundings {
  /** Sends a message to the wallet. Opens the port if necessary. */
  tell(message: FromRelay): void;
  /** Reports a user gesture that was made in a frame over this page. */
  noteGesture(): void;
  signal: AbortSignal;
}

export interface Overlay {
  hear(message: ToRelay): void;
  /** Called when the port has been closed. The wallet then has no state for this document. */
  lost(): void;
}

interface State {
  cover: Cover | null;
  /** Number of the button's pending offer, or 0 if there is none. */
  asked: number;
  isRefused: boolean;
  tries: number;
}

/**
 * Starts putting frames over buttons.
 * @param offered the offers so far, by element
 * @param frames creates and checks frames
 */
export function createOverlay(
  { tell, noteGesture, signal }: Surroundings,
  offered: ReadonlyMap<EventTarget, unknown> = new Map(),
  frames: Frames = { createCover, isClear, canShowOverlay },
): Overlay {
  const states = new WeakMap<Button, State>();
  const print = matchMedia('print');
  /** `isOn`: the wallet accepts swipes. `isLost`: the port is closed. `isOver`: the page has tampered with a frame. */
  let [isOn, isLost, isOver] = [true, false, false];
  let pointer: PointerPosition | null = null;
  let [numbers, turn] = [0, 0];
  const mayOffer = createBudget(OFFER_BURST);
  let cancel: (() => void) | null = null;

  const stateOf = (button: Button): State => {
    let state = states.get(button);
    if (!state) states.set(button, (state = { cover: null, asked: 0, isRefused: false, tries: 0 }));
    return state;
  };
  const buttons = watchButtons({ moved: wake, gone: drop }, offered, signal);
  const all = () => [...buttons.values()];
  const receipts = createReceipts(frames, (element) => buttons.has(element), wake);
  const byId = (id: string) => all().find((button) => stateOf(button).cover?.id === id);

  /** Removes the button's frame and withdraws its offer. */
  function drop(button: Button): void {
    const state = stateOf(button);
    const { cover } = state;
    state.cover = null;
    state.asked = 0;
    cover?.remove();
    if (cover && !isLost && !signal.aborted) tell({ swipe: 'end', id: cover.id });
  }

  function dropAll(): void {
    all().forEach(drop);
    receipts.dropAll();
  }

  /** Permanently disables frames in this page. */
  function turnToWindow(): void {
    isOver = true;
    dropAll();
  }

  function offer(button: Button): void {
    stateOf(button).asked = numbers += 1;
    const { options, service } = button.asks;
    tell({
      swipe: 'offer',
      button: numbers,
      options,
      ...(service !== undefined && { service }),
      scale: window.devicePixelRatio,
    } as FromRelay);
  }

  /**
   * Covers the buttons nearest to the pointer. A button keeps its frame until the button nearest to the pointer needs
   * it.
   */
  function choose(candidates: readonly Button[]): void {
    const isTaken = (button: Button) => stateOf(button).cover !== null || stateOf(button).asked > 0;
    const near = nearest(candidates, pointer);
    const taken = near.filter(isTaken);
    for (const button of near) {
      if (isTaken(button)) continue;
      const isFull = taken.length >= MAX_SWIPE_FRAMES;
      if (isFull && (button !== near[0] || !pointer)) return;
      if (!frames.isClear(button)) continue;
      const farthest = taken.findLast((one) => stateOf(one).cover);
      if ((isFull && !farthest) || !mayOffer()) return;
      if (isFull && farthest) drop(farthest);
      offer(button);
      taken.push(button);
    }
  }

  /**
   * Updates all frames.
   * @param isDrawn true in an animation frame, false for events that pages can forge
   * @returns false if the page has changed a frame
   */
  function tend(isSlow: boolean, isDrawn: boolean): boolean {
    for (const button of all()) {
      const state = stateOf(button);
      const { cover } = state;
      if (!cover) continue;
      if (!cover.isUntouched()) return false;
      if (isDrawn) cover.beat();
      if (!button.isInView) drop(button);
      else if (!cover.follow() || (isSlow && !cover.isClear())) {
        if (performance.now() - cover.since < 1000) state.tries += 1;
        if (state.tries >= MAX_REMOVED_FRAMES) state.isRefused = true;
        drop(button);
      } else if (!cover.isShown() && performance.now() - cover.since > LATE_MS) {
        state.isRefused = true;
        drop(button);
      } else if (isSlow) cover.refresh();
    }
    return true;
  }

  function next(isDrawn: boolean): void {
    cancel?.();
    cancel = null;
    if (signal.aborted || isOver || isLost || !isOn || document.visibilityState !== 'visible') return dropAll();
    const isSlow = (turn += 1) % SLOW_TURN === 0;
    // Overlay frames are hidden in print.
    if (print.matches) dropAll();
    else if (!tend(isSlow, isDrawn) || !receipts.tend(isSlow)) return turnToWindow();
    const candidates = all().filter((button) => button.isInView && !stateOf(button).isRefused);
    const isStanding = candidates.some((button) => stateOf(button).cover);
    if (isSlow || !isStanding) {
      if (print.matches || !frames.canShowOverlay()) dropAll();
      else choose(candidates);
    }
    const isAnyCovered = receipts.isStanding() || candidates.some((button) => stateOf(button).cover);
    if (candidates.length > 0 || isAnyCovered) wait(isAnyCovered);
  }

  function wait(isStanding: boolean): void {
    if (isStanding) {
      const id = requestAnimationFrame(() => next(true));
      cancel = () => cancelAnimationFrame(id);
    } else {
      const id = setTimeout(next, LATER_MS, false);
      cancel = () => clearTimeout(id);
    }
  }

  function wake(): void {
    cancel?.();
    wait(true);
  }

  /**
   * Records the pointer's position. If the port was closed, starts again, because the event shows that a user is
   * present.
   */
  function noteHand(event: Event): void {
    if (!event.isTrusted) return;
    const { clientX, clientY } = event as Partial<PointerEvent>;
    if (clientX !== undefined && clientY !== undefined) pointer = { x: clientX, y: clientY };
    if (!isLost) return;
    isLost = false;
    wake();
  }

  /**
   * Makes the page request the payment as if the user had swiped on the page's own track. The page's listeners run
   * synchronously.
   */
  function passOn(button: Button, id: string): void {
    drop(button);
    receipts.swiped(id, button);
    noteGesture();
    if (button.track.isConnected) button.track.dispatchEvent(new Event(SWIPED_EVENT));
  }

  function vouch(id: string, button: Button, cover: Cover): void {
    const isIntact = () =>
      stateOf(button).cover === cover &&
      cover.isUntouched() &&
      cover.follow() &&
      performance.now() - cover.movedAt() >= STILL_MS &&
      cover.isClear();
    const judge = (isSure: boolean) => {
      if (!isIntact()) return passOn(button, id);
      // The check is repeated in the next animation frame, in which the page's latest changes take effect.
      if (isSure) tell({ swipe: 'intact', id });
      else requestAnimationFrame(() => stateOf(button).cover === cover && judge(true));
    };
    judge(false);
  }

  function cover(button: Button, offered: { id: string; secret: string }): void {
    const state = stateOf(button);
    state.asked = 0;
    try {
      state.cover = frames.createCover(button, offered);
      if (!state.cover.follow()) {
        state.isRefused = true;
        drop(button);
      }
    } catch {
      tell({ swipe: 'end', id: offered.id });
      turnToWindow();
    }
    wake();
  }

  const events = { capture: true, passive: true, signal };
  for (const type of ['pointermove', 'pointerdown', 'scroll', 'keydown'])
    window.addEventListener(type, noteHand, events);
  for (const type of ['pagehide', 'beforeprint']) window.addEventListener(type, dropAll, events);
  document.addEventListener('visibilitychange', () => next(false), { signal });
  signal.addEventListener('abort', dropAll);

  return {
    hear(message) {
      if (message.swipe === 'on' || message.swipe === 'off') {
        isOn = message.swipe === 'on';
        for (const button of all()) stateOf(button).isRefused = false;
        if (!isOn) dropAll();
        return wake();
      }
      if (message.swipe === 'offered' || message.swipe === 'refused') {
        const button = all().find((one) => stateOf(one).asked === message.button);
        if (message.swipe === 'offered') {
          if (button) cover(button, message);
          else tell({ swipe: 'end', id: message.id });
        } else if (button) {
          Object.assign(stateOf(button), { asked: 0, isRefused: true });
          wake();
        }
        return;
      }
      if (message.swipe === 'paid') {
        if (!isOver) receipts.paid(message.id, message.secret);
        return;
      }
      if (message.swipe === 'paid-over') return receipts.drop(message.id);
      const button = byId(message.id);
      const standing = button && stateOf(button).cover;
      if (!button || !standing) return;
      if (message.swipe === 'vouch') vouch(message.id, button, standing);
      else if (message.swipe === 'swiped') passOn(button, message.id);
      else {
        stateOf(button).isRefused = true;
        drop(button);
      }
    },
    lost() {
      isLost = true;
      dropAll();
    },
  };
}
