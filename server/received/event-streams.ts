/** Wallets' server-sent events (WHATWG HTML, 9.2), which only signal that something was received. */
import type { Response } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Database } from '../database/connect.ts';
import type { Lifecycle } from '../http/health.ts';
import { arrivals } from './arrivals.ts';

/** Max streams per user and instance. Opening another one closes the user's oldest stream. */
export const STREAMS_OF_ONE = 5;
/** Max streams per instance. */
const STREAMS = 10_000;
/** Interval between comments (ms). Without comments, proxies close idle connections. */
const COMMENT_EVERY_MS = 15_000;
const LOOK_EVERY_MS = 500;
const RETRY_AFTER = 10;

interface Stream {
  userId: number;
  end: () => void;
}

export interface EventStreams {
  /**
   * Opens a user's stream. It ends when the token expires, the service shuts down, or the client disconnects.
   * @throws ServiceError `service-unavailable` if the instance has reached its limit
   */
  open(userId: number, expiresAt: Date, response: Response): void;
}

export function createEventStreams({
  db,
  now,
  lifecycle,
}: {
  db: Database;
  now: () => Date;
  lifecycle: Lifecycle;
}): EventStreams {
  const streams = new Set<Stream>();
  let watching: NodeJS.Timeout | undefined;

  function endAllWhenStopping(): void {
    if (lifecycle.stopping) for (const { end } of streams) end();
  }

  return {
    open(userId, expiresAt, response) {
      if (streams.size >= STREAMS) {
        response.set('Retry-After', String(RETRY_AFTER));
        throw new ServiceError('service-unavailable');
      }
      // If the response is already destroyed, `close` won't be emitted to end the stream.
      if (response.destroyed) return;
      const own = [...streams].filter((stream) => stream.userId === userId);
      if (own.length >= STREAMS_OF_ONE) own[0]?.end();

      // Disables buffering by proxies.
      response.status(200).set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
      response.write(': connected\n\n');
      // Nothing may be written after `end`. `close` can follow much later, if another response is ahead on the connection.
      const stop = () => {
        stopListening();
        clearInterval(comment);
        clearTimeout(expiry);
        streams.delete(stream);
        if (streams.size > 0) return;
        clearInterval(watching);
        watching = undefined;
      };
      const end = () => {
        stop();
        response.end();
      };
      const stream = { userId, end };
      streams.add(stream);
      watching ??= setInterval(endAllWhenStopping, LOOK_EVERY_MS).unref();
      const stopListening = arrivals(db).listen(userId, () => void response.write('event: received\ndata:\n\n'));
      const comment = setInterval(() => void response.write(':\n\n'), COMMENT_EVERY_MS);
      const expiry = setTimeout(end, Math.max(0, expiresAt.getTime() - now().getTime()));
      response.once('close', stop);
    },
  };
}
