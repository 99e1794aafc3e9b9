import { createServer, type Server, type ServerOptions } from 'node:http';

/**
 * - `keepAliveTimeout`: above proxies' 60 s, so that no connection closes under a request that just arrived.
 * - `headersTimeout`, `requestTimeout`: see RFC 9110, section 15.5.9. A body's time counts from the start of reading it
 *   (intake.ts).
 * - `connectionsCheckingInterval`: Node's default of 30 s would add to the others.
 */
const TIMEOUTS: ServerOptions = {
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  requestTimeout: 45_000,
  connectionsCheckingInterval: 5_000,
};
/** Cuts a stalled connection, so that a client can't keep a response in memory by not reading it (milliseconds). */
const IDLE_MS = 60_000;

/** Maximum size of a request's line and headers in bytes, the same as in deploy/nginx.conf. */
const MAX_HEADER_BYTES = 64 * 1024;

/** A server with a timeout for every wait. */
export function createHttp(timeouts: ServerOptions & { idleMs?: number } = {}): Server {
  const { idleMs = IDLE_MS, ...rest } = timeouts;
  return createServer({ ...TIMEOUTS, maxHeaderSize: MAX_HEADER_BYTES, ...rest }).setTimeout(idleMs);
}

/** Time for requests in progress to finish, in milliseconds. */
const FINISH_MS = 10_000;

/** Resolves once the server listens. @throws the system's error, for example EADDRINUSE */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Accepts no further connections and waits for requests in progress. After 10 s the rest is cut off. */
export function closeHttp(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), FINISH_MS);
    // Keep-alive connections are closed as soon as the request in progress is answered.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(idle);
      resolve();
    });
  });
}
