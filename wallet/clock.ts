/** Detects a clock that is set back: times stored before are then too far ahead (stored-times/). */
import { part, type Wallet } from './platform.ts';

/** Time servers correct clocks by less than this (milliseconds), so a lock may be late by as much. */
export const CLOCK_SLACK_MS = 60_000;

const memoryOf = part(() => ({
  latest: Number.NEGATIVE_INFINITY,
  wasSetBack: (() => undefined) as () => void,
}));

/** Registers the function to call when the clock was set back. Called once, when the worker starts. */
export function onClockSetBack(wallet: Wallet, listener: () => void): void {
  memoryOf(wallet).wasSetBack = listener;
}

/** Compares the clock with the last time that this worker saw. Called for every event and every write. */
export function checkClock(wallet: Wallet, now = wallet.now()): void {
  const memory = memoryOf(wallet);
  const isBack = now < memory.latest - CLOCK_SLACK_MS;
  memory.latest = isBack ? now : Math.max(memory.latest, now);
  if (isBack) memory.wasSetBack();
}
