/**
 * Detects that the clock was set back. Times stored before then are in the future and must be corrected
 * (stored-times/).
 */
import { part, type Wallet } from './platform.ts';

/** Tolerance for corrections by time servers (milliseconds). The wallet may lock late by this much. */
export const CLOCK_SLACK_MS = 60_000;

const memoryOf = part(() => ({
  latest: Number.NEGATIVE_INFINITY,
  wasSetBack: (() => undefined) as () => void,
}));

/** Registers the listener to call after the clock was set back. Called once, when the worker starts. */
export function onClockSetBack(wallet: Wallet, listener: () => void): void {
  memoryOf(wallet).wasSetBack = listener;
}

/** Compares the clock with the latest time seen by this worker. Called on every event and every write. */
export function checkClock(wallet: Wallet, now = wallet.now()): void {
  const memory = memoryOf(wallet);
  const isBack = now < memory.latest - CLOCK_SLACK_MS;
  memory.latest = isBack ? now : Math.max(memory.latest, now);
  if (isBack) memory.wasSetBack();
}
