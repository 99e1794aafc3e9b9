/** The wallet for download, as built, and the link to the stores. */
import { Router } from 'express';
import type { Config } from '../config.ts';
import { noStore } from '../http/headers.ts';
import { PACKAGE_FILES, type PackageName, type WalletPackages } from '../wallet-packages.ts';
import { storeFor, visitorBrowser } from './visitor-browser.ts';

export interface WalletContext {
  wallet: WalletPackages;
  settings: Pick<Config, 'walletStores'>;
}

/**
 * - GET /wallet: redirects to the store for the visitor's browser, otherwise to the instructions on the home page.
 * - GET /wallet.zip, GET /wallet-firefox.zip: the current build; 503 if there is none.
 */
export function walletRoutes({ wallet, settings }: WalletContext): Router {
  const router = Router();
  router.get('/wallet', noStore, (request, response) => {
    response.redirect(storeFor(visitorBrowser(request.headers), settings.walletStores) ?? '/#wallet');
  });
  for (const [name, file] of Object.entries(PACKAGE_FILES)) {
    router.get(`/${file}`, async (_request, response) => {
      const found = await wallet.read(name as PackageName);
      if (found === null) {
        response
          .status(503)
          .set('Cache-Control', 'no-store')
          .type('text')
          .send('The wallet hasn’t been built yet. Run "npm run build" and reload.\n');
        return;
      }
      // The ETag is derived only from the content, so it is the same for all instances.
      response
        .attachment(`service-button-${file}`)
        .set({
          'Cache-Control': 'public, max-age=60',
          ETag: `"${Buffer.from(found.sha256, 'hex').toString('base64url')}"`,
        })
        .send(found.bytes);
    });
  }
  return router;
}
