/** JSON:API 1.0, as far as the first generation speaks it. */
import type { Response } from 'express';
import type * as z from 'zod/mini';
import { JSON_API, type errorDocument } from '../../protocol/api-v1.ts';
import { ERRORS, type WireError } from '../../protocol/errors.ts';

/** Every document names the version that it is of. */
export const jsonapi = { version: '1.0' } as const;

/** Sends an error. */
export function sendErrorDocument(response: Response, status: number, { code, message }: WireError): void {
  const id = String(response.locals.requestId ?? '');
  const document: z.infer<typeof errorDocument> = {
    errors: [{ id, status: String(status), code, title: ERRORS[code].message, detail: message }],
    jsonapi,
  };
  sendDocument(response.status(status), document);
}

/** Sends a document. */
export function sendDocument(response: Response, document: object): void {
  const text = JSON.stringify(document);
  // Not by Express, which would add a charset to text: the media type allows no parameters.
  response.setHeader('Content-Type', JSON_API);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
