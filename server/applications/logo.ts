import { and, eq } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { applicationLogos } from '../database/schema.ts';
import { isDigest, uploadedPicture, type UploadedPicture } from '../uploaded-picture.ts';
import { updateApplication, type Application } from './store.ts';

/**
 * Sets the logo of a user's own application.
 * @param bytes an upload that passed `problemOfUpload`
 * @throws ServiceError `unknown-application`
 */
export function saveLogo(db: Database, ownerId: number, id: string, bytes: Uint8Array, now: Date): Promise<void> {
  const logo = uploadedPicture(bytes);
  return db.transaction(async (tx) => {
    await updateApplication(tx, ownerId, id, { logo: logo.digest }, now);
    await tx
      .insert(applicationLogos)
      .values({ applicationId: id, ...logo })
      .onConflictDoUpdate({ target: applicationLogos.applicationId, set: logo });
  });
}

/** Removes the logo of a user's own application. @throws ServiceError `unknown-application` */
export function removeLogo(db: Database, ownerId: number, id: string, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    await updateApplication(tx, ownerId, id, { logo: null }, now);
    await tx.delete(applicationLogos).where(eq(applicationLogos.applicationId, id));
  });
}

/** Returns the path of an application's logo, which changes with each upload, or null if it has no logo. */
export const logoPath = ({ id, logo }: Pick<Application, 'id' | 'logo'>) =>
  logo === null ? null : `/application-logos/${id}/${logo}`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the picture at a {@link logoPath}, or null if the path is invalid or outdated. */
export async function findLogo(
  db: Database,
  id: string,
  digest: string,
): Promise<Pick<UploadedPicture, 'type' | 'image'> | null> {
  if (!UUID.test(id) || !isDigest(digest)) return null;
  const { type, image } = applicationLogos;
  const [found] = await db
    .select({ type, image })
    .from(applicationLogos)
    .where(and(eq(applicationLogos.applicationId, id), eq(applicationLogos.digest, digest)));
  return found ?? null;
}
