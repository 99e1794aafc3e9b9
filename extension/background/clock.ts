/** A clock that is put back: times that were stored before are then too far ahead (stored-times/). */

/** Time servers correct clocks by less than this (milliseconds). A lock may be later by as much. */
export const CLOCK_SLACK_MS = 60_000;

let latest = Number.NEGATIVE_INFINITY;
let wasSetBack: () => void = () => undefined;

/** Registers the function to call when the clock was put back. Called once, when the worker starts. */
export function onClockSetBack(listener: () => void): void {
  wasSetBack = listener;
}

/** Compares the clock with the last time that this worker saw. Called for every event and every write. */
export function checkClock(now = Date.now()): void {
  const isBack = now < latest - CLOCK_SLACK_MS;
  latest = isBack ? now : Math.max(latest, now);
  if (isBack) wasSetBack();
}
