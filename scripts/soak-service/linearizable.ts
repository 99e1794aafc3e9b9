/**
 * Is there an order in which operations on a register could have taken place one after the other, each between its
 * request and its answer, so that every read saw the last write before it? (Linearizability: Herlihy and Wing, 1990.
 * The search is Wing and Gong's, with Lowe's memory of what was tried.)
 */

/** A read or a write of a register. Each value is written at most once. */
export interface Operation {
  kind: 'read' | 'write';
  /** What was written, or what the read saw. */
  value: string;
  /** When the request was sent, and when its answer had come (milliseconds of one clock). */
  sent: number;
  /** Infinity where no answer came: a write may then take place at any time after, or never. */
  answered: number;
}

/**
 * Writes without an answer, as far as reads tell: one that somebody saw took place before that read ended; one that
 * nobody saw changes nothing about what the others saw, and is left out.
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
 * @param initial what the register held before
 * @returns null where such an order exists, else the operations around the place that no order gets past
 */
export function whyNotLinearizable(operations: readonly Operation[], initial: string): Operation[] | null {
  const all = settled(operations).toSorted((a, b) => a.sent - b.sent);
  const done = new Set<number>();
  /** What had taken place and what the register held, of all ways that led nowhere. */
  const tried = new Set<string>();
  let furthest = 0;

  /** Is there an order for the rest? All before `from` have taken place, and those of `done`. */
  const canGoOn = (from: number, value: string): boolean => {
    let first = from;
    while (done.has(first)) first += 1;
    furthest = Math.max(furthest, first);
    if (first === all.length) return true;
    const way = `${first} ${[...done]
      .filter((i) => i > first)
      .toSorted((a, b) => a - b)
      .join(' ')} ${value}`;
    if (tried.has(way)) return false;
    tried.add(way);
    // Whatever is next was sent before any of the others was answered.
    let soonest = Infinity;
    for (let i = first; i < all.length; i += 1) {
      const { kind, value: own, sent, answered } = all[i] as Operation;
      if (sent > soonest) break;
      if (done.has(i)) continue;
      soonest = Math.min(soonest, answered);
      if (kind === 'read' && own !== value) continue;
      done.add(i);
      if (canGoOn(first, kind === 'write' ? own : value)) return true;
      done.delete(i);
    }
    return false;
  };
  return canGoOn(0, initial) ? null : all.slice(Math.max(0, furthest - 5), furthest + 10);
}
