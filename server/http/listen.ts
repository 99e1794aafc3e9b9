/** Opening and closing the door. */
import { createServer, type Server, type ServerOptions } from 'node:http';

/**
 * - `keepAliveTimeout`: longer than proxies keep their idle connections to us (60 s): closing one first would fail the
 * request that just came in on it.
 * - `headersTimeout`, `requestTimeout`: whatever of a request has not come in by then is given up (RFC 9110, section
 * 15.5.9). How long its body
 *   may take is counted from when it is read (intake.ts).
 * - `connectionsCheckingInterval`: Node's is 30 s, and would add to the others.
 */
const TIMEOUTS: ServerOptions = {
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  requestTimeout: 45_000,
  connectionsCheckingInterval: 5_000,
};
/**
 * A connection on which nothing moves while something is under way is cut: nobody keeps an answer in our memory by not
 * reading it. Milliseconds.
 */
const IDLE_MS = 60_000;

/** Maximum size of a request's line and headers, in bytes: what deploy/nginx.conf accepts, for OAuth's long `state`. */
const MAX_HEADER_BYTES = 64 * 1024;

/** A server that waits for nobody without end. */
export function createHttp(timeouts: ServerOptions & { idleMs?: number } = {}): Server {
  const { idleMs = IDLE_MS, ...rest } = timeouts;
  return createServer({ ...TIMEOUTS, maxHeaderSize: MAX_HEADER_BYTES, ...rest }).setTimeout(idleMs);
}

/** How long requests under way may take to finish, in milliseconds. */
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

/** Takes no further connections and waits for the requests under way; after 10 s what is left is cut off. */
export function closeHttp(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), FINISH_MS);
    // A connection that is kept open for further requests is let go as soon as the one under way is answered.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(idle);
      resolve();
    });
  });
}
