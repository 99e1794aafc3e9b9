/** The button's script, parts and manifest, readable by pages on any site. */
import { createHash } from 'node:crypto';
import { Router, type Request, type Response } from 'express';
import { readableByAll } from '../http/headers.ts';
import { partFile } from './button-build.ts';
import type { ButtonStore, PackedBuild, PackedFile } from './button-store.ts';
import { pathOf, sendText } from './missing-file.ts';

/** Cache-Control of the unversioned paths, which serve the current build. */
const BRIEFLY = 'public, max-age=60';
/** Cache-Control of the versioned paths (RFC 8246). */
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * - GET /button.js, /button.{part}.js, /button.json: the current build; 503 if there is none. Only `/button.js`
 *   contains the service's URL.
 * - GET /button/{version}/button.js, /button/{version}/button.{part}.js: immutable content.
 */
export function buttonRoutes(store: ButtonStore): Router {
  const router = Router();

  const current =
    (send: (build: PackedBuild, request: Request, response: Response) => void) =>
    async (request: Request, response: Response) => {
      const build = await store.current();
      if (build) send(build, request, response);
      else sendText(response, 503, 'The button hasn’t been built yet. Run "npm run build" and reload.');
    };

  router.get(
    '/button.js',
    readableByAll,
    current(({ script }, request, response) => sendFile(script, BRIEFLY, request, response)),
  );
  router.get(
    '/button.json',
    readableByAll,
    current(({ manifest }, _request, response) => {
      response.set('Cache-Control', BRIEFLY).json(manifest);
    }),
  );
  router.get(
    '/button.:part.js',
    readableByAll,
    current((build, request, response) => {
      sendScript(build, partFile(String(request.params.part)), BRIEFLY, request, response);
    }),
  );
  router.get('/button/:version/:file', readableByAll, async (request, response) => {
    const build = await store.version(String(request.params.version));
    sendScript(build, String(request.params.file), FOR_EVER, request, response);
  });

  return router;
}

function sendScript(
  build: PackedBuild | null,
  name: string,
  cacheControl: string,
  request: Request,
  response: Response,
): void {
  const file = build?.files.get(name);
  if (!file)
    return sendText(
      response,
      404,
      build
        ? `The button has no file ${name}: ${pathOf(request)} is missing. /button.json lists its parts.`
        : `This service doesn’t have that version of the button: ${pathOf(request)} is missing. /button.js is the current one.`,
    );
  sendFile(file, cacheControl, request, response);
}

function sendFile(file: PackedFile, cacheControl: string, request: Request, response: Response): void {
  const encoding = request.acceptsEncodings('br') ? 'br' : request.acceptsEncodings('gzip') ? 'gzip' : 'identity';
  const body = file[encoding];
  if (encoding !== 'identity') response.set('Content-Encoding', encoding);
  response
    .set({
      'Cache-Control': cacheControl,
      'Content-Type': 'text/javascript; charset=utf-8',
      // A strong validator must cover the bytes as sent, after compression (RFC 9110, 8.8.3.3).
      ETag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
    })
    .vary('Accept-Encoding')
    .send(body);
}
