import { createServer, type Server, type ServerOptions } from 'node:http';

/**
 * - `keepAliveTimeout`: longer than proxies' 60 s, so no connection closes while a request is arriving.
 * - `headersTimeout`, `requestTimeout`: see RFC 9110, section 15.5.9. A body's deadline starts when it is read
 *   (body-budget.ts).
 * - `connectionsCheckingInterval`: Node's default of 30 s would lengthen the other timeouts.
 */
const TIMEOUTS: ServerOptions = {
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  requestTimeout: 45_000,
  connectionsCheckingInterval: 5_000,
};
/**
 * Idle time (ms) after which a connection is closed so that clients that stop reading can't keep responses in memory.
 */
const IDLE_MS = 60_000;

/** Maximum size of the request line and headers in bytes, the same as in deploy/nginx.conf. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Creates a server with timeouts for every phase of a connection. */
export function createHttp(timeouts: ServerOptions & { idleMs?: number } = {}): Server {
  const { idleMs = IDLE_MS, ...rest } = timeouts;
  return createServer({ ...TIMEOUTS, maxHeaderSize: MAX_HEADER_BYTES, ...rest }).setTimeout(idleMs);
}

/** Grace period for requests in progress (ms). */
const FINISH_MS = 10_000;

/** Resolves once the server is listening. @throws system errors such as EADDRINUSE */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Accepts no new connections, and waits up to 10 s for requests in progress before closing their connections. */
export function closeHttp(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), FINISH_MS);
    // Closes keep-alive connections as soon as their request in progress is answered.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(idle);
      resolve();
    });
  });
}
