/** Defines the error for violations of the simulation's invariants. */

/** Rules with known violations, which are ignored. Remove a rule to enforce it. */
export const PENDING_INVARIANTS: readonly string[] = [];

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
