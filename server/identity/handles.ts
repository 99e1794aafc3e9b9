/** The common namespace of this service's paymails: handles of users, and aliases of assets. */
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { skeletonOf } from '../../protocol/text/confusables.ts';
import { assets, users } from '../database/schema.ts';

/** The first number of the advisory locks of handles: spells `hndl`. */
const LOCKS = 0x686e_646c;

/** True if a user or an asset has this handle, or one that looks like it. */
export async function isHandleTaken(db: Database, handle: string): Promise<boolean> {
  const skeleton = skeletonOf(handle);
  const one = { one: sql`1` };
  const ofUsers = db.select(one).from(users).where(eq(users.handleSkeleton, skeleton));
  const found = await ofUsers.unionAll(db.select(one).from(assets).where(eq(assets.aliasSkeleton, skeleton)));
  return found.length > 0;
}

/**
 * Locks a handle, and all that look like it, until `tx` ends, because no constraint covers both users and assets. Call
 * it before any row is locked.
 */
export async function lockHandle(tx: Database, handle: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS}::int, hashtext(${skeletonOf(handle)}))`);
}
