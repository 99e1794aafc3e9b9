/**
 * Finds a linearization of operations on a register: an order in which each operation takes place between its request
 * and its response, and every read returns the value of the preceding write (Herlihy and Wing, 1990; search by Wing and
 * Gong, with Lowe's cache of visited states).
 */

/** A read or a write of a register. Each value is written at most once. */
export interface Operation {
  kind: 'read' | 'write';
  value: string;
  /** Times of the request and the response (milliseconds on the same clock). */
  sent: number;
  /** Infinity if there was no response. A write can then take place at any later time, or never. */
  answered: number;
}

/**
 * Uses the reads to resolve writes without a response: a write that was read took place before that read ended, and a
 * write that was never read is omitted.
 */
function settled(operations: readonly Operation[]): Operation[] {
  return operations.flatMap((one) => {
    if (one.answered !== Infinity) return [one];
    if (one.kind === 'read') return [];
    const seen = operations.filter(({ kind, value }) => kind === 'read' && value === one.value);
    const answered = Math.min(...seen.map((read) => read.answered));
    return answered === Infinity ? [] : [{ ...one, answered }];
  });
}

/**
 * @param initial the register's initial value
 * @returns null if the operations are linearizable, otherwise the operations around the violation
 */
export function whyNotLinearizable(operations: readonly Operation[], initial: string): Operation[] | null {
  const all = settled(operations).toSorted((a, b) => a.sent - b.sent);
  const done = new Set<number>();
  /** All visited states, each with the completed operations and the register's value. */
  const tried = new Set<string>();
  /** The current path. Each step contains the latest operation and the candidates for the next one. */
  const way: Step[] = [];
  let furthest = 0;

  /** Enters a new state, in which all operations before `from` and those in `done` are complete. */
  const enter = (from: number, value: string, last: number): void => {
    let first = from;
    while (done.has(first)) first += 1;
    furthest = Math.max(furthest, first);
    const ahead = [...done].filter((one) => one > first).toSorted((a, b) => a - b);
    const key = `${first} ${ahead.join(' ')} ${value}`;
    const isNew = !tried.has(key);
    tried.add(key);
    way.push({ first, value, last, next: isNew ? nextOf(first, value) : [] });
    // `done` needn't contain operations before the first incomplete one, which `first` represents.
    for (let one = from; one < first; one += 1) done.delete(one);
  };
  /**
   * Returns the candidates for the next operation: those that were sent before any other incomplete operation ended.
   * Excludes reads that didn't return the register's value.
   */
  const nextOf = (first: number, value: string): number[] => {
    const next: number[] = [];
    let soonest = Infinity;
    for (let one = first; one < all.length; one += 1) {
      const { kind, value: own, sent, answered } = all[one] as Operation;
      if (sent > soonest) break;
      if (done.has(one)) continue;
      soonest = Math.min(soonest, answered);
      if (kind === 'write' || own === value) next.unshift(one);
    }
    return next;
  };

  enter(0, initial, -1);
  while (furthest < all.length) {
    const step = way.at(-1);
    if (!step) return all.slice(Math.max(0, furthest - 5), furthest + 10);
    const next = step.next.pop();
    if (next === undefined) {
      way.pop();
      const before = way.at(-1);
      if (!before) continue;
      for (let one = before.first; one < step.first; one += 1) done.add(one);
      done.delete(step.last);
      continue;
    }
    const { kind, value } = all[next] as Operation;
    done.add(next);
    enter(step.first, kind === 'write' ? value : step.value, next);
  }
  return null;
}

/** A position on the path. */
interface Step {
  /** Index of the first operation that hasn't taken place. */
  first: number;
  value: string;
  last: number;
  /** Untried candidates for the next operation, the most likely last. */
  next: number[];
}
