import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';
import type { Network } from '../../protocol/bitcoin/address.ts';
import type { Config } from '../config.ts';
import type { WalletPackages } from '../wallet-packages.ts';
import type { ButtonStore } from './button-store.ts';
import { galleryPage } from './gallery/gallery-page.ts';
import { PICTURES_FOLDER, readPictures } from './gallery/pictures.ts';
import { landingPage } from './landing-page.ts';
import { visitorBrowser } from './visitor-browser.ts';
import { sendPage } from '../page/layout.ts';
import { shopPage } from './shop-page.ts';

export interface WebContext {
  network: Network;
  baseUrl: string;
  /** The address that receives the demo shop's payments, or null. */
  shopAddress: string | null;
  button: ButtonStore;
  wallet: WalletPackages;
  settings: Pick<Config, 'walletStores'>;
}

const ASSETS = fileURLToPath(new URL('./assets/', import.meta.url));
const LOOK = fileURLToPath(new URL('../../look/', import.meta.url));
const LOOK_FILES = new Set(['tokens.css', 'components.css']);
/** Files only: no index pages, no redirects. */
const FILES_ALONE = { index: false, redirect: false, maxAge: '1m' } as const;

/**
 * - GET /, /shop, /gallery: pages.
 * - GET /assets/…, /look/tokens.css, /look/components.css, /pictures/…: static files.
 */
export function webRoutes({ network, baseUrl, shopAddress, button, wallet, settings }: WebContext): Router {
  const router = Router();
  const pictures = readPictures();

  router.get('/', async (request, response) => {
    const [chromium, firefox, version] = await Promise.all([
      wallet.read('chromium'),
      wallet.read('firefox'),
      wallet.version(),
    ]);
    const sha256 = { chromium: chromium?.sha256 ?? null, firefox: firefox?.sha256 ?? null };
    const offer = { browser: visitorBrowser(request.headers), stores: settings.walletStores, version, sha256 };
    sendPage(response, landingPage(baseUrl, offer), network);
  });
  router.get('/shop', (_request, response) => sendPage(response, shopPage(shopAddress, network), network));
  router.get('/gallery', async (_request, response) => {
    const build = await button.current();
    sendPage(response, galleryPage({ baseUrl, pictures, manifest: build?.manifest ?? null }), network);
  });

  router.use('/assets', express.static(ASSETS, FILES_ALONE));
  router.use('/pictures', express.static(PICTURES_FOLDER, FILES_ALONE));
  router.get('/look/:file', async (request, response, next) => {
    const file = String(request.params.file);
    if (!LOOK_FILES.has(file)) return next();
    const styles = await readStyles(file);
    const ETag = `"${createHash('sha256').update(styles).digest('base64url')}"`;
    response.set({ 'Cache-Control': 'public, max-age=60', ETag }).type('css').send(styles);
  });

  return router;
}

/** Reads a style sheet, and replaces each `@import` with the imported file. */
async function readStyles(name: string): Promise<string> {
  const read = (path: string) => readFile(join(LOOK, path), 'utf8');
  const lines = (await read(name)).split('\n').map((line) => {
    const [, path] = /^@import '(.+)';$/.exec(line) ?? [];
    return path === undefined ? line : read(path);
  });
  return (await Promise.all(lines)).join('\n');
}
