/**
 * Tells connected wallets that something came in for them. What this process took in itself it tells at once; of what
 * others did, it asks the database every second, with one question for everybody who is connected, and only while
 * somebody is.
 */
import { and, inArray, isNull, max } from 'drizzle-orm';
import { perDatabase } from '../database/batch.ts';
import type { Database } from '../database/connect.ts';
import { receivedTransactions } from '../database/schema.ts';

const LOOK_EVERY_MS = 1_000;

/** What came in, and who wants to know. */
export interface Arrivals {
  /**
   * Calls `tell` whenever something waits for the user that it was not called for before: at first for whatever waits
   * already.
   * @returns ends it
   */
  listen(userId: number, tell: () => void): () => void;
  /** Something came in for the user just now. */
  announce(userId: number): void;
}

/** Somebody who listens, and the newest that they were told of. */
interface Listener {
  userId: number;
  seen: number;
  tell: () => void;
}

/** One for each open database. */
export const arrivals: (db: Database) => Arrivals = perDatabase((db) => {
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let again = false;

  async function newest(): Promise<Map<number, number>> {
    const { userId, sequence, acknowledgedAt } = receivedTransactions;
    const rows = await db
      .select({ userId, newest: max(sequence) })
      .from(receivedTransactions)
      .where(and(inArray(userId, [...new Set([...listeners].map((one) => one.userId))]), isNull(acknowledgedAt)))
      .groupBy(userId);
    return new Map(rows.map((row) => [row.userId, row.newest ?? 0]));
  }

  async function lookOnce(): Promise<void> {
    const asked = [...listeners];
    if (asked.length === 0) return;
    // A database that does not answer is asked again with the next look.
    const found = await newest().catch(() => new Map<number, number>());
    for (const listener of asked) {
      const last = found.get(listener.userId) ?? 0;
      if (last <= listener.seen || !listeners.has(listener)) continue;
      listener.seen = last;
      listener.tell();
    }
  }

  /** One look at a time; whoever comes during it gets one of their own behind it. */
  function look(): void {
    again = true;
    looking ??= (async () => {
      while (again) {
        again = false;
        await lookOnce();
      }
      looking = null;
    })();
  }

  return {
    listen(userId, tell) {
      const listener = { userId, seen: 0, tell };
      listeners.add(listener);
      timer ??= setInterval(look, LOOK_EVERY_MS).unref();
      look();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    announce(userId) {
      if ([...listeners].some((listener) => listener.userId === userId)) look();
    },
  };
});
