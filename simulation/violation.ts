/** A broken rule of the simulation. */

/** Rules that are not enforced yet, because the wallet does not keep them yet. Remove a name to enforce its rule. */
export const PENDING_INVARIANTS: readonly string[] = [];

/** An invariant was violated. */
export class Violation extends Error {
  readonly rule: string;

  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

/** The violation that a check throws, or null. Throws what else it throws. */
export function violationOf(check: () => void): Violation | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return PENDING_INVARIANTS.includes(error.rule) ? null : error;
  }
}
