/** Violations of the simulation's invariants. */

/** Known unfixed violations, by rule, which are ignored. Remove a name to enforce its rule. */
export const PENDING_INVARIANTS: readonly string[] = [];

/** An invariant was violated. */
export class Violation extends Error {
  readonly rule: string;

  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

/** Returns the violation that a check throws, or null. Rethrows other errors. */
export function violationOf(check: () => void): Violation | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return PENDING_INVARIANTS.includes(error.rule) ? null : error;
  }
}
