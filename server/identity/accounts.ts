/** Looks up accounts, and creates them with a unique handle and key. */
import { eq } from 'drizzle-orm';
import type { Registration } from '../../protocol/http/api.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Database } from '../database/connect.ts';
import { users } from '../database/schema.ts';
import { isHandleTaken, lockHandle } from './handles.ts';

/** Columns read with every request. Only destinations/ reads the receiving addresses. */
export const USER_COLUMNS = {
  id: users.id,
  handle: users.handle,
  name: users.name,
  publicKey: users.publicKey,
  bio: users.bio,
  avatarUrl: users.avatarUrl,
  picture: users.picture,
  defaultCurrency: users.defaultCurrency,
  defaultLanguage: users.defaultLanguage,
  createdAt: users.createdAt,
};

export type User = Pick<typeof users.$inferSelect, keyof typeof USER_COLUMNS>;

export async function findByPublicKey(db: Database, publicKey: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.publicKey, publicKey));
  return user ?? null;
}

export async function findByHandle(db: Database, handle: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.handle, handle));
  return user ?? null;
}

/** Fails early if {@link createUser} would fail. @throws ServiceError `key-taken` (sign in instead), `handle-taken` */
export async function checkFree(db: Database, publicKey: string, handle: string): Promise<void> {
  if (await findByPublicKey(db, publicKey)) throw new ServiceError('key-taken');
  if (await isHandleTaken(db, handle)) throw new ServiceError('handle-taken');
}

/**
 * Creates an account. Unique columns reject concurrent duplicates, and the handle's lock prevents clashes with assets.
 * @throws ServiceError `key-taken`, `handle-taken`
 */
export function createUser(
  db: Database,
  publicKey: string,
  registration: Registration,
  createdAt: Date,
): Promise<User> {
  const { handle, name, receivingXpub } = registration;
  return db.transaction(async (tx) => {
    await lockHandle(tx, handle);
    await checkFree(tx, publicKey, handle);
    const [user] = await tx
      .insert(users)
      .values({ handle, name, publicKey, receivingXpub, createdAt })
      .onConflictDoNothing()
      .returning();
    if (user) return user;
    // A concurrent call registered the same key first, because keys aren't locked.
    await checkFree(tx, publicKey, handle);
    throw new ServiceError('internal', { detail: 'the account was not inserted, but conflicts with no other' });
  });
}
