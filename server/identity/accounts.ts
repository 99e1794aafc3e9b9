/** Accounts: found, and made once per handle and key. */
import { eq, or } from 'drizzle-orm';
import type { Registration } from '../../protocol/api.ts';
import { ServiceError } from '../../protocol/errors.ts';
import type { Database } from '../database/connect.ts';
import { users } from '../database/schema.ts';
import { skeletonOf } from '../database/handle-skeleton.ts';

/** One row of the accounts. */
export type User = typeof users.$inferSelect;

/** Finds the account of an identity key. */
export async function findByPublicKey(db: Database, publicKey: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.publicKey, publicKey));
  return user ?? null;
}

/** Finds the account of a handle. */
export async function findByHandle(db: Database, handle: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.handle, handle));
  return user ?? null;
}

/** True where an account has this handle, or one that looks like it. */
export async function handleExists(db: Database, handle: string): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.handleSkeleton, skeletonOf(handle)));
  return found.length > 0;
}

/**
 * Tells early what {@link createUser} would refuse. The key is looked at first: its owner had better sign in.
 * @throws ServiceError `key-taken`, `handle-taken`
 */
export async function checkFree(db: Database, publicKey: string, handle: string): Promise<void> {
  const found = await db
    .select({ publicKey: users.publicKey })
    .from(users)
    .where(or(eq(users.publicKey, publicKey), eq(users.handleSkeleton, skeletonOf(handle))));
  if (found.some((user) => user.publicKey === publicKey)) throw new ServiceError('key-taken');
  if (found.length > 0) throw new ServiceError('handle-taken');
}

/**
 * Makes an account. The table's unique columns decide between several at once.
 * @throws ServiceError `key-taken`, `handle-taken`
 */
export async function createUser(
  db: Database,
  publicKey: string,
  registration: Registration,
  createdAt: Date,
): Promise<User> {
  const { handle, name, receivingXpub } = registration;
  const [user] = await db
    .insert(users)
    .values({ handle, name, publicKey, receivingXpub, createdAt })
    .onConflictDoNothing()
    .returning();
  if (user) return user;
  await checkFree(db, publicKey, handle);
  throw new ServiceError('internal', { detail: 'an account conflicts with nothing' });
}
