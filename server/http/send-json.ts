/** Answers in JSON. */
import type { Response } from 'express';

/**
 * Sends a value as JSON. Express's `response.json` gives the same here, where answers have no ETag (but a 304 for `If-None-Match: *`),
 * and takes a good part of a short request's time to find that out.
 * @param type the whole media type
 */
export function sendJson(response: Response, value: unknown, type = 'application/json; charset=utf-8'): void {
  const text = JSON.stringify(value);
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
