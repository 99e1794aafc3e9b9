/** A broken rule of the simulation. */

/** Unfixed rules, which are not enforced. Remove a name to enforce its rule. */
export const PENDING_INVARIANTS: readonly string[] = [];

/** An invariant was violated. */
export class Violation extends Error {
  readonly rule: string;

  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

/** The violation that a check throws, or null. Rethrows other errors. */
export function violationOf(check: () => void): Violation | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return PENDING_INVARIANTS.includes(error.rule) ? null : error;
  }
}
