/** Serializes writers of one transaction, which arrives by report and by paymail, in any order. */
import { sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';

/** Namespace of transaction locks among PostgreSQL's two-key advisory locks: "txid" in ASCII. */
const LOCKS = 0x7478_6964;

/** Locks a transaction, regardless of its signatures, until `tx` ends. Call it before locking any row. */
export async function lockTransaction(tx: Database, normalizedTxid: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS}::int, hashtext(${normalizedTxid}))`);
}
