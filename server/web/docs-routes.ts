import { Router } from 'express';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { sendPage } from '../page/layout.ts';
import { readDocs } from './docs/docs-build.ts';
import { docsPages, type DocsPages } from './docs/docs-pages.ts';

/**
 * - GET /docs, /docs/{page}: the documentation built with the service; 404 if there is no build.
 * - GET /docs/search?q=…: search results in the documentation.
 * @param directory the build directory
 */
export function docsRoutes(directory: string, network: Network): Router {
  const router = Router();
  let made: DocsPages | undefined;
  /**
   * Reads the pages when they are first requested, because the service can start without them. Each request retries a
   * failed read.
   */
  async function pages(): Promise<DocsPages | null> {
    if (made) return made;
    const docs = await readDocs(directory);
    return docs && (made = docsPages(docs));
  }

  router.get('/docs/search', async ({ query: { q } }, response, next) => {
    const docs = await pages();
    if (docs) sendPage(response, docs.search(typeof q === 'string' ? q : ''), network);
    else next();
  });
  router.get('/docs{/*slug}', async ({ params }, response, next) => {
    const slug = (params as { slug?: string[] }).slug ?? [];
    const page = (await pages())?.pages.get(slug.join('/'));
    if (page) sendPage(response, page, network);
    else next();
  });
  return router;
}
