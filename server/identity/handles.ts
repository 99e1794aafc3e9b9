/** The namespace shared by users' handles and assets' aliases, because both are used in paymails. */
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { skeletonOf } from '../../protocol/text/confusables.ts';
import { assets, users } from '../database/schema.ts';

/** First key of the advisory locks on handles: ASCII `hndl`. */
const LOCKS = 0x686e_646c;

/** True if a user or an asset has this handle or a lookalike. */
export async function isHandleTaken(db: Database, handle: string): Promise<boolean> {
  const skeleton = skeletonOf(handle);
  const one = { one: sql`1` };
  const ofUsers = db.select(one).from(users).where(eq(users.handleSkeleton, skeleton));
  const found = await ofUsers.unionAll(db.select(one).from(assets).where(eq(assets.aliasSkeleton, skeleton)));
  return found.length > 0;
}

/**
 * Locks a handle and all lookalikes until `tx` ends, because no constraint spans users and assets. Must be called
 * before locking any row.
 */
export async function lockHandle(tx: Database, handle: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS}::int, hashtext(${skeletonOf(handle)}))`);
}
