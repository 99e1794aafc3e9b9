/** Provides the environment for targets in the wallet: an empty database, and the same response to every request. */
import { MemoryDatabases } from '../../testkit/database/database.ts';
import { nodeTurns } from '../../testkit/database/node-turns.ts';
import { useOpener, type Opener } from '../../testkit/wallet/platform.ts';

useOpener(new MemoryDatabases(nodeTurns) as unknown as Opener);

/** Returns an object with the parts of a response that the wallet uses, because a real response is slow. */
function response(bytes: Uint8Array): Response {
  const chunks = [{ done: false, value: bytes }, { done: true }];
  const body = { getReader: () => ({ read: () => Promise.resolve(chunks.shift()), cancel: () => Promise.resolve() }) };
  return { status: 200, body } as unknown as Response;
}

/** Runs `ask`. Every request gets these bytes as its response immediately. */
export async function answeredWith<T>(bytes: Uint8Array, ask: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  const { timeout, any } = AbortSignal;
  const { signal } = new AbortController();
  globalThis.fetch = () => Promise.resolve(response(bytes));
  AbortSignal.timeout = AbortSignal.any = () => signal;
  try {
    return await ask();
  } finally {
    globalThis.fetch = fetch;
    Object.assign(AbortSignal, { timeout, any });
  }
}
