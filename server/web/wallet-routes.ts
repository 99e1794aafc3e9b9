/** The wallet for download, as the build packed it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Router } from 'express';

/** Where a package is found here, in the build's folder, and what it is called on the reader's disk. */
const PACKAGES = {
  '/wallet.zip': { file: 'wallet.zip', savedAs: 'service-button-wallet.zip' },
  '/wallet-firefox.zip': { file: 'wallet-firefox.zip', savedAs: 'service-button-wallet-firefox.zip' },
} as const;

/** GET /wallet.zip, GET /wallet-firefox.zip: the current build; 503 in plain text while there is none. */
export function walletRoutes(dist: string): Router {
  const router = Router();
  for (const [path, { file, savedAs }] of Object.entries(PACKAGES)) {
    router.get(path, async (_request, response) => {
      const bytes = await readFile(join(dist, file)).catch(() => null);
      if (bytes === null) {
        response
          .status(503)
          .set('Cache-Control', 'no-store')
          .type('text')
          .send('The wallet is not built yet. Run "npm run build" and reload.\n');
        return;
      }
      // Computed from the bytes only, so that every instance has the same.
      response
        .attachment(savedAs)
        .set({
          'Cache-Control': 'public, max-age=60',
          ETag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
        })
        .send(bytes);
    });
  }
  return router;
}
