import type { Request, RequestHandler, Response } from 'express';
import { readableByAll } from '../http/headers.ts';

/** Scripts that pages on other sites include. */
const SCRIPTS = /\.m?js$/i;
const MAX_PATH_CHARS = 200;

export function sendText(response: Response, status: number, text: string): void {
  response.status(status).set('Cache-Control', 'no-store').type('text').send(`${text}\n`);
}

/** Returns the requested path, truncated to a readable length. */
export const pathOf = ({ path }: Request) =>
  path.length > MAX_PATH_CHARS ? `${path.slice(0, MAX_PATH_CHARS)}…` : path;

/**
 * Responds with 404 to requests for scripts, recognized by header or path. The message contains the requested path and
 * the button's URL. The response is readable by every site, because browsers would otherwise report `NotSameOrigin`.
 */
export function missingFile(baseUrl: string): RequestHandler {
  return (request, response, next) => {
    if (request.get('sec-fetch-dest') !== 'script' && !SCRIPTS.test(request.path)) return next();
    return readableByAll(request, response, () =>
      sendText(
        response,
        404,
        `There is no ${pathOf(request)} on this service. The button’s script is ${baseUrl}/button.js, and ${baseUrl}/button.json lists its parts.`,
      ),
    );
  };
}
