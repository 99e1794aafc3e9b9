/**
 * How long tests wait for an event that is certain to happen. No test is about this time, and the machine may be busy.
 */

/** Milliseconds until a wait gives up. */
export const PATIENCE_MS = 60_000;
