/** Finds a port for a process that starts later, or restarts on the same port. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a free port on 127.0.0.1 below the ephemeral range (32768 and above on Linux, 49152 and above elsewhere) so
 * that the system doesn't assign it to another process.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_768);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
        return false;
      },
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
