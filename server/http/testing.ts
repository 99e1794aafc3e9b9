import type { Server } from 'node:http';

/**
 * Keeps idle connections open. Node closes them after five seconds, and on a busy machine a client may use one in that
 * very moment: its request fails with a reset connection.
 */
export function neverHangUp(server: Server): void {
  server.keepAliveTimeout = 0;
}
