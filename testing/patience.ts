/**
 * How long tests wait for what surely comes. It is never what a test is about, and the machine may be busy with other
 * things.
 */

/** Milliseconds until a wait gives up. */
export const PATIENCE_MS = 60_000;
