/** Serializes writes for the same transaction, because it can arrive in a report and via paymail, in either order. */
import { sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';

/** First key of the advisory locks on transactions: ASCII `txid`. */
const LOCKS = 0x7478_6964;

/** Locks a transaction until `tx` ends, regardless of its signatures. Must be called before locking any row. */
export async function lockTransaction(tx: Database, normalizedTxid: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS}::int, hashtext(${normalizedTxid}))`);
}
