/** Opening and closing the door. */
import type { Server } from 'node:http';

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
