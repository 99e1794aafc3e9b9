/** What a page is told whose script, or other file, does not exist here. */
import type { Request, RequestHandler, Response } from 'express';
import { readableByAll } from '../http/headers.ts';

/** Files that other sites' pages include. */
const FILES = /\.(?:m?js|map|css|json|wasm)$/i;
const LONGEST_PATH = 200;

/** Answers in plain text, which a browser neither runs nor keeps. */
export function say(response: Response, status: number, text: string): void {
  response.status(status).set('Cache-Control', 'no-store').type('text').send(`${text}\n`);
}

/** A path as it was requested, not too long to be read. */
export const pathOf = ({ path }: Request) => (path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path);

/**
 * 404 for files, as what the browser or the path names them: it says what is missing and where the button is, and pages
 * of every site can read it. Without that, browsers report an answer that was blocked (`NotSameOrigin`) instead of a 404.
 */
export function missingFile(baseUrl: string): RequestHandler {
  return (request, response, next) => {
    if (request.get('sec-fetch-dest') !== 'script' && !FILES.test(request.path)) return next();
    return readableByAll(request, response, () =>
      say(
        response,
        404,
        `There is no ${pathOf(request)} on this service. The button’s script is ${baseUrl}/button.js, and ${baseUrl}/button.json lists its parts.`,
      ),
    );
  };
}
