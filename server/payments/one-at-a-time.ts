/**
 * A transaction comes in by its sender's report and by paymail, in any order and at the same time: here each waits for
 * the other.
 */
import { sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';

/** The advisory locks of transactions, among others of two numbers: spells `txid`. */
const LOCKS = 0x7478_6964;

/**
 * Waits until nobody else writes down what is known of a transaction; until `tx` ends others wait in turn. Before any
 * row is locked.
 */
export async function lockTransaction(tx: Database, txid: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS}::int, hashtext(${txid}))`);
}
