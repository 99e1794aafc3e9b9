/**
 * Sets what modules of the wallet need when they are loaded: the service's URL, which their build inserts, and an
 * extension's globals. Must be imported before them.
 */
export const world = globalThis as { __SERVICE_URL__?: string; chrome?: unknown };
world.__SERVICE_URL__ ??= 'http://localhost:3000';
world.chrome ??= { runtime: { id: 'wallet' } };
