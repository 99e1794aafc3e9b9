import type { Response } from 'express';

/**
 * Sends a value as JSON. Faster than Express's `response.json`, which takes most of a short request's time.
 * @param type the complete media type
 */
export function sendJson(response: Response, value: unknown, type = 'application/json; charset=utf-8'): void {
  const text = JSON.stringify(value);
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
