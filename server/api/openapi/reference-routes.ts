import { Router } from 'express';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import type { Addresses } from '../../config.ts';
import { readableByAll } from '../../http/headers.ts';
import type { Route } from '../../routing/route.ts';
import type { LanguageCode } from '../../../protocol/languages.ts';
import { sendPage, type Page, type TranslatedPage } from '../../page/layout.ts';
import { openApiDocument } from './openapi.ts';
import { reference } from '../reference/page.ts';

/** Renders a page only once per language and caches it, because its content never changes. */
function oncePerLanguage(make: TranslatedPage): TranslatedPage {
  const made = new Map<LanguageCode, Page>();
  return (texts, language) => {
    const page = made.get(language) ?? make(texts, language);
    made.set(language, page);
    return page;
  };
}

/**
 * - GET /api/openapi.json: 200, the OpenAPI 3.1 document.
 * - GET /api/reference, /api/reference/{resource}: the human-readable reference.
 * - GET /api/reference/search?q=…: search results in the reference.
 */
export function referenceRoutes(
  { network, addresses }: { network: Network; addresses: Addresses },
  routes: readonly Route[],
): Router {
  const router = Router();
  // Built on the first request, because building it at startup would cause a noticeable delay.
  let document: ReturnType<typeof openApiDocument> | undefined;
  const { pages, search } = reference(addresses.baseUrl, routes);
  router.get('/api/openapi.json', readableByAll, (_request, response) => {
    document ??= openApiDocument(addresses.baseUrl, routes);
    response.set('Cache-Control', 'public, max-age=300').json(document);
  });
  for (const [slug, make] of pages) {
    const page = oncePerLanguage(make);
    router.get(`/api/reference${slug && `/${slug}`}`, (_request, response) => sendPage(response, page, network));
  }
  router.get('/api/reference/search', ({ query: { q } }, response) =>
    sendPage(response, search(typeof q === 'string' ? q : ''), network),
  );
  return router;
}
