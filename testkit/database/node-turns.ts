import type { Turns } from './turns.ts';

// The real functions, saved before tests install fake timers.
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

/** Runs a transaction's steps without other events in between, except before its first response. */
export const nodeTurns: Turns = {
  soon: (task) => {
    waiting.push(task);
    plan();
  },
  step: (task) => task(),
  later: (task) => void setImmediate(task),
};
