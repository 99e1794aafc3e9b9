/** Pages, their files, and the button's script. */
import { fileURLToPath } from 'node:url';
import express, { Router, type Response } from 'express';
import type { Network } from '../../protocol/address.ts';
import { readableByAll } from '../http/headers.ts';
import { landingPage } from './landing-page.ts';
import { sendPage } from './layout.ts';
import { shopPage } from './shop-page.ts';

/** What these routes work with. */
export interface WebContext {
  network: Network;
  baseUrl: string;
  /** Where the demo shop is paid; null where it is not. */
  shopAddress: string | null;
  /** Folder that holds the built `button.js`. */
  distDirectory: string;
}

const ASSETS = fileURLToPath(new URL('./assets/', import.meta.url));
const LOOK = fileURLToPath(new URL('../../look/', import.meta.url));
const LOOK_FILES = new Set(['tokens.css', 'components.css']);

/**
 * - GET /, /shop: pages.
 * - GET /assets/…, /look/tokens.css, /look/components.css: their files.
 * - GET /button.js: the script that pages embed, from any site; 503 in plain text while it is not built.
 */
export function webRoutes({ network, baseUrl, shopAddress, distDirectory }: WebContext): Router {
  const router = Router();

  router.get('/', (_request, response) => sendPage(response, landingPage(baseUrl), network));
  router.get('/shop', (_request, response) => sendPage(response, shopPage(shopAddress, network), network));

  router.use('/assets', express.static(ASSETS, { index: false, redirect: false, maxAge: '1m' }));
  router.get('/look/:file', async (request, response, next) => {
    const file = String(request.params.file);
    if (!LOOK_FILES.has(file)) next();
    else if (!(await sendFile(response, file, LOOK))) next();
  });

  router.get('/button.js', readableByAll, async (_request, response) => {
    if (await sendFile(response, 'button.js', distDirectory)) return;
    response.status(503).set('Cache-Control', 'no-store').type('text')
      .send('The button is not built yet. Run "npm run build" and reload.\n');
  });

  return router;
}

/** Sends a file with an ETag, to be kept for a minute. False where there is none. */
function sendFile(response: Response, name: string, root: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    response.sendFile(name, { root, maxAge: '1m', dotfiles: 'allow' }, (error: (Error & { status?: number; code?: string }) | undefined) => {
      if (!error) resolve(true);
      else if (error.status === 404 || error.code === 'ENOENT') resolve(false);
      // The caller went away in the middle: nothing is left to answer.
      else if (response.headersSent) resolve(true);
      else reject(error);
    });
  });
}
