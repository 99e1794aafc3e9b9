/** Node's turns. */
import type { Turns } from './turns.ts';

// Kept from before a test's fake timers.
const { setImmediate, queueMicrotask } = globalThis;
const { nextTick } = process;

const waiting: (() => void)[] = [];
let isPlanned = false;

function plan(): void {
  if (isPlanned || waiting.length === 0) return;
  isPlanned = true;
  // Node runs a tick that a microtask asks for once no microtask is left.
  queueMicrotask(() => nextTick(runOne));
}

function runOne(): void {
  isPlanned = false;
  const task = waiting.shift();
  plan();
  task?.();
}

/** The requests of a transaction are answered at once; before its first one, other events may come. */
export const nodeTurns: Turns = {
  soon: (task) => {
    waiting.push(task);
    plan();
  },
  later: (task) => void setImmediate(task),
};
