/** Logos of applications, for the pages that name them. */
import { Router } from 'express';
import { findLogo } from '../applications/logo.ts';
import type { Database } from '../database/connect.ts';

/** GET /application-logos/{application}/{SHA-256}: the picture, for good; 404 where it is none, or no longer. */
export function logoRoutes({ db }: { db: Database }): Router {
  const router = Router();
  router.get('/application-logos/:id/:digest', async (request, response, next) => {
    const found = await findLogo(db, request.params.id, request.params.digest);
    if (!found) return next();
    response.set({
      'Content-Type': found.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      // Somebody's upload: opened by itself, it is a picture and nothing else.
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
    response.end(found.image);
  });
  return router;
}
