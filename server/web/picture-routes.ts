/** Uploaded pictures: applications' logos and users' own pictures. */
import { Router } from 'express';
import { findLogo } from '../applications/logo.ts';
import type { Database } from '../database/connect.ts';
import { readableByAll } from '../http/headers.ts';
import { findPicture } from '../identity/picture.ts';
import { sendUploaded } from '../uploaded-picture.ts';

/**
 * GET /application-logos/{application}/{SHA-256}, /profile-pictures/{user}/{SHA-256}: the picture, permanently
 * cacheable, or 404.
 */
export function pictureRoutes({ db }: { db: Database }): Router {
  const router = Router();
  router.get('/application-logos/:id/:digest', async (request, response, next) => {
    const found = await findLogo(db, request.params.id, request.params.digest);
    if (!found) return next();
    sendUploaded(response, found);
  });
  // Readable by every origin, because other wallets and services also show the picture.
  router.get('/profile-pictures/:id/:digest', readableByAll, async (request, response, next) => {
    const found = await findPicture(db, String(request.params.id), String(request.params.digest));
    if (!found) return next();
    sendUploaded(response, found);
  });
  return router;
}
