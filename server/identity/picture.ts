/** An account's picture: uploaded to this service, or a URL on another host. */
import { and, eq } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { profilePictures, users } from '../database/schema.ts';
import { isDigest, uploadedPicture, type UploadedPicture } from '../uploaded-picture.ts';
import type { User } from './accounts.ts';

/** Sets an account's picture, replacing any existing picture. @param bytes an upload that passed `problemOfUpload` */
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

export function removePicture(db: Database, userId: number): Promise<void> {
  return db.transaction(async (tx) => {
    await forgetPicture(tx, userId);
    await tx.update(users).set({ avatarUrl: null }).where(eq(users.id, userId));
  });
}

/** Deletes an account's uploaded picture. Must be called within a transaction. */
export async function forgetPicture(tx: Database, userId: number): Promise<void> {
  await tx.update(users).set({ picture: null }).where(eq(users.id, userId));
  await tx.delete(profilePictures).where(eq(profilePictures.userId, userId));
}

/** Returns the path of an uploaded picture, which changes with each upload, or null. */
export const picturePath = ({ id, picture }: Pick<User, 'id' | 'picture'>): string | null =>
  picture === null ? null : `/profile-pictures/${id}/${picture}`;

export function avatarUrlOf(user: Pick<User, 'id' | 'picture' | 'avatarUrl'>, baseUrl: string): string | null {
  const path = picturePath(user);
  return path === null ? user.avatarUrl : baseUrl + path;
}

/** Returns the picture at a {@link picturePath}, or null if the path is invalid or outdated. */
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
