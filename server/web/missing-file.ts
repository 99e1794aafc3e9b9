import type { Request, RequestHandler, Response } from 'express';
import { readableByAll } from '../http/headers.ts';

/** Scripts that other sites' pages include. */
const SCRIPTS = /\.m?js$/i;
const LONGEST_PATH = 200;

export function say(response: Response, status: number, text: string): void {
  response.status(status).set('Cache-Control', 'no-store').type('text').send(`${text}\n`);
}

/** The requested path, truncated to a readable length. */
export const pathOf = ({ path }: Request) => (path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path);

/**
 * 404 for scripts, detected by the browser's request or by the path. It names the missing file and the button's
 * address, readable by every site, where browsers would otherwise report `NotSameOrigin`.
 */
export function missingFile(baseUrl: string): RequestHandler {
  return (request, response, next) => {
    if (request.get('sec-fetch-dest') !== 'script' && !SCRIPTS.test(request.path)) return next();
    return readableByAll(request, response, () =>
      say(
        response,
        404,
        `There is no ${pathOf(request)} on this service. The button’s script is ${baseUrl}/button.js, and ${baseUrl}/button.json lists its parts.`,
      ),
    );
  };
}
