/**
 * A transaction arrives by its sender's report and by paymail, in any order and concurrently: here each waits for the
 * other.
 */
import { sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';

/** The advisory locks of transactions, among others of two numbers: spells `txid`. */
const LOCKS = 0x7478_6964;

/**
 * Locks a transaction until `tx` ends, so that only one writer at a time records what is known about it. Call it before
 * any row is locked.
 */
export async function lockTransaction(tx: Database, txid: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS}::int, hashtext(${txid}))`);
}
