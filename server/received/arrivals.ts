/**
 * Notifies connected wallets of received transactions. Transactions received by other instances are found by querying
 * the database every second, with one query for all connected users.
 */
import { and, inArray, isNull, max } from 'drizzle-orm';
import { perDatabase } from '../database/batch.ts';
import type { Database } from '../database/connect.ts';
import { receivedTransactions } from '../database/schema.ts';

const LOOK_EVERY_MS = 1_000;

export interface Arrivals {
  /**
   * Calls `tell` for the user's new transactions, and also if transactions are already waiting.
   * @returns a function that stops these calls
   */
  listen(userId: number, tell: () => void): () => void;
  announce(userId: number): void;
}

interface Listener {
  userId: number;
  seen: number;
  tell: () => void;
}

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
    // If the query fails, the next query tries again.
    const found = await newest().catch(() => new Map<number, number>());
    for (const listener of asked) {
      const last = found.get(listener.userId) ?? 0;
      if (last <= listener.seen || !listeners.has(listener)) continue;
      listener.seen = last;
      listener.tell();
    }
  }

  /** Runs one query at a time. Calls during a query share the next query. */
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
