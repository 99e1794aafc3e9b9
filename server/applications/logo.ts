/** An application's logo: uploaded by its owner, kept and sent by this service itself. */
import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { ServiceError } from '../../protocol/errors.ts';
import type { Database } from '../database/connect.ts';
import { applicationLogos } from '../database/schema.ts';
import { readPicture, type Picture } from './picture.ts';
import { updateApplication, type Application } from './store.ts';

/** Bytes. */
export const LARGEST_LOGO = 200_000;
/** Width and height, in pixels: a small file may unfold into a picture that fills a browser's memory. */
const [SMALLEST_SIDE, LARGEST_SIDE] = [16, 1024];

/** Why a picture cannot be a logo, in a sentence for its owner; null where it can. */
export function problemOfLogo(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return 'Choose a picture first.';
  if (bytes.length > LARGEST_LOGO) return 'The picture must be at most 200 kB.';
  const picture = readPicture(bytes);
  if (picture === null) return 'The picture must be a PNG or JPEG file.';
  const sides = [picture.width, picture.height];
  if (sides.some((side) => side < SMALLEST_SIDE || side > LARGEST_SIDE))
    return `The picture must be ${SMALLEST_SIDE} to ${LARGEST_SIDE} pixels wide and high.`;
  return null;
}

/**
 * Gives a user's own application a logo.
 * @param bytes for which {@link problemOfLogo} finds no problem
 * @throws ServiceError `unknown-application`
 */
export function saveLogo(db: Database, ownerId: number, id: string, bytes: Uint8Array, now: Date): Promise<void> {
  const picture = readPicture(bytes);
  if (picture === null) throw new ServiceError('invalid-request');
  const logo = { digest: createHash('sha256').update(bytes).digest('hex'), type: picture.type, image: bytes };
  return db.transaction(async (tx) => {
    await updateApplication(tx, ownerId, id, { logo: logo.digest }, now);
    await tx
      .insert(applicationLogos)
      .values({ applicationId: id, ...logo })
      .onConflictDoUpdate({ target: applicationLogos.applicationId, set: logo });
  });
}

/** Takes the logo from a user's own application. @throws ServiceError `unknown-application` */
export function removeLogo(db: Database, ownerId: number, id: string, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    await updateApplication(tx, ownerId, id, { logo: null }, now);
    await tx.delete(applicationLogos).where(eq(applicationLogos.applicationId, id));
  });
}

/** Path of an application's logo on this service, another one for each picture; null where it has none. */
export const logoPath = ({ id, logo }: Pick<Application, 'id' | 'logo'>) =>
  logo === null ? null : `/application-logos/${id}/${logo}`;

const [UUID, DIGEST] = [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, /^[0-9a-f]{64}$/];

/** The picture at a {@link logoPath}; null where it is none, or no longer. */
export async function findLogo(
  db: Database,
  id: string,
  digest: string,
): Promise<{ type: Picture['type']; image: Uint8Array } | null> {
  if (!UUID.test(id) || !DIGEST.test(digest)) return null;
  const { type, image } = applicationLogos;
  const [found] = await db
    .select({ type, image })
    .from(applicationLogos)
    .where(and(eq(applicationLogos.applicationId, id), eq(applicationLogos.digest, digest)));
  return found ?? null;
}
