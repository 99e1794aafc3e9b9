/** The picture of an account: uploaded, and sent by this service itself, or named at another place. */
import { and, eq } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { profilePictures, users } from '../database/schema.ts';
import { isDigest, uploadedPicture, type UploadedPicture } from '../uploaded-picture.ts';
import type { User } from './accounts.ts';

/**
 * Gives an account a picture, in place of any other.
 * @param bytes for which `problemOfUpload` finds no problem
 */
export function savePicture(db: Database, userId: number, bytes: Uint8Array): Promise<void> {
  const picture = uploadedPicture(bytes);
  return db.transaction(async (tx) => {
    await tx.update(users).set({ picture: picture.digest, avatarUrl: null }).where(eq(users.id, userId));
    await tx
      .insert(profilePictures)
      .values({ userId, ...picture })
      .onConflictDoUpdate({ target: profilePictures.userId, set: picture });
  });
}

/** Takes its picture from an account, wherever that is. */
export function removePicture(db: Database, userId: number): Promise<void> {
  return db.transaction(async (tx) => {
    await forgetPicture(tx, userId);
    await tx.update(users).set({ avatarUrl: null }).where(eq(users.id, userId));
  });
}

/** Deletes what was uploaded, inside of a transaction. */
export async function forgetPicture(tx: Database, userId: number): Promise<void> {
  await tx.update(users).set({ picture: null }).where(eq(users.id, userId));
  await tx.delete(profilePictures).where(eq(profilePictures.userId, userId));
}

/** Path of an uploaded picture on this service, another one for each picture; null where there is none. */
export const picturePath = ({ id, picture }: Pick<User, 'id' | 'picture'>): string | null =>
  picture === null ? null : `/profile-pictures/${id}/${picture}`;

/** Where an account's picture is; null where it has none. */
export function avatarUrlOf(user: Pick<User, 'id' | 'picture' | 'avatarUrl'>, baseUrl: string): string | null {
  const path = picturePath(user);
  return path === null ? user.avatarUrl : baseUrl + path;
}

/** The picture at a {@link picturePath}; null where it is none, or no longer. */
export async function findPicture(
  db: Database,
  userId: string,
  digest: string,
): Promise<Pick<UploadedPicture, 'type' | 'image'> | null> {
  if (!/^[1-9]\d{0,14}$/.test(userId) || !isDigest(digest)) return null;
  const { type, image } = profilePictures;
  const [found] = await db
    .select({ type, image })
    .from(profilePictures)
    .where(and(eq(profilePictures.userId, Number(userId)), eq(profilePictures.digest, digest)));
  return found ?? null;
}
