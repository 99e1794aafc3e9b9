/**
 * What modules of the wallet look for when they are loaded, for those after this one: where its own service is, which its build puts in,
 * and that it runs in an extension.
 */
export const world = globalThis as { __SERVICE_URL__?: string; chrome?: unknown };
world.__SERVICE_URL__ ??= 'http://localhost:3000';
world.chrome ??= { runtime: { id: 'wallet' } };
