import type { Server } from 'node:http';

/** Keeps idle connections open. After Node's five seconds, a busy client's next request could be reset. */
export function neverHangUp(server: Server): void {
  server.keepAliveTimeout = 0;
}
