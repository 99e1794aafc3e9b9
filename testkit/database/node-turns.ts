import type { Turns } from './turns.ts';

// Saved before tests install fake timers.
const { setImmediate, queueMicrotask } = globalThis;
const { nextTick } = process;

const waiting: (() => void)[] = [];
let isPlanned = false;

function plan(): void {
  if (isPlanned || waiting.length === 0) return;
  isPlanned = true;
  // A tick queued in a microtask runs after all pending microtasks.
  queueMicrotask(() => nextTick(runOne));
}

function runOne(): void {
  isPlanned = false;
  const task = waiting.shift();
  plan();
  task?.();
}

/** Interleaves with other events only before the first response of a transaction. */
export const nodeTurns: Turns = {
  soon: (task) => {
    waiting.push(task);
    plan();
  },
  step: (task) => task(),
  later: (task) => void setImmediate(task),
};
