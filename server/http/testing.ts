/** For tests: servers that clients can rely on. */
import type { Server } from 'node:http';

/**
 * Keeps idle connections open. Of those that Node closes after five seconds a client may use one in that very moment,
 * and on a busy machine does: its request fails with a reset connection.
 */
export function neverHangUp(server: Server): void {
  server.keepAliveTimeout = 0;
}
