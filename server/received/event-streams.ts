/**
 * Connected wallets: one stream of server-sent events each (WHATWG HTML, 9.2), which says only that something was
 * received.
 */
import type { Response } from 'express';
import { ServiceError } from '../../protocol/errors.ts';
import type { Database } from '../database/connect.ts';
import type { Lifecycle } from '../http/health.ts';
import { arrivals } from './arrivals.ts';

/** Most streams of one user at one instance: the oldest ends for a further one. And of all users. */
export const STREAMS_OF_ONE = 5;
const STREAMS = 10_000;
/** So often a comment goes out: proxies cut connections on which nothing moves. */
const COMMENT_EVERY_MS = 15_000;
const LOOK_EVERY_MS = 500;
const RETRY_AFTER = 10;

/** One that is open. */
interface Stream {
  userId: number;
  end: () => void;
}

/** What opens streams. */
export interface EventStreams {
  /**
   * Answers with a stream for a user, until their token expires, the service shuts down, or they go.
   * @throws ServiceError `service-unavailable` where this instance has enough of them
   */
  open(userId: number, expiresAt: Date, response: Response): void;
}

/** Streams of one instance. */
export function createEventStreams({
  db,
  now,
  lifecycle,
}: {
  db: Database;
  now: () => Date;
  lifecycle: Lifecycle;
}): EventStreams {
  // In the order in which they were opened.
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
      // Gone already: its close, which would end the stream, has been.
      if (response.destroyed) return;
      const own = [...streams].filter((stream) => stream.userId === userId);
      if (own.length >= STREAMS_OF_ONE) own[0]?.end();

      // No proxy may keep what is to arrive at once.
      response.status(200).set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
      response.write(': connected\n\n');
      const stream = { userId, end: () => void response.end() };
      streams.add(stream);
      watching ??= setInterval(endAllWhenStopping, LOOK_EVERY_MS).unref();
      const stopListening = arrivals(db).listen(userId, () => void response.write('event: received\ndata:\n\n'));
      const comment = setInterval(() => void response.write(':\n\n'), COMMENT_EVERY_MS);
      const expiry = setTimeout(stream.end, Math.max(0, expiresAt.getTime() - now().getTime()));
      response.once('close', () => {
        stopListening();
        clearInterval(comment);
        clearTimeout(expiry);
        streams.delete(stream);
        if (streams.size > 0) return;
        clearInterval(watching);
        watching = undefined;
      });
    },
  };
}
