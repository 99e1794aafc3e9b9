import type { Turns } from './turns.ts';

// Kept from before a test's fake timers.
const { setImmediate, queueMicrotask } = globalThis;
const { nextTick } = process;

const waiting: (() => void)[] = [];
let isPlanned = false;

function plan(): void {
  if (isPlanned || waiting.length === 0) return;
  isPlanned = true;
  // Node runs ticks that were queued in a microtask when no microtask is left.
  queueMicrotask(() => nextTick(runOne));
}

function runOne(): void {
  isPlanned = false;
  const task = waiting.shift();
  plan();
  task?.();
}

/** Other events can come only before a transaction's first response. */
export const nodeTurns: Turns = {
  soon: (task) => {
    waiting.push(task);
    plan();
  },
  step: (task) => task(),
  later: (task) => void setImmediate(task),
};
