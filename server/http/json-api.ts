/** The parts of JSON:API 1.0 that API v1 uses. */
import type { Response } from 'express';
import type * as z from 'zod/mini';
import { JSON_API, type errorDocument } from '../../protocol/compat/api-v1.ts';
import { ERRORS, type WireError } from '../../protocol/errors/service-error.ts';
import { sendJson } from './send-json.ts';

export const jsonapi = { version: '1.0' } as const;

export function sendErrorDocument(response: Response, status: number, { code, message }: WireError): void {
  const id = String(response.locals.requestId ?? '');
  const document: z.infer<typeof errorDocument> = {
    errors: [{ id, status: String(status), code, title: ERRORS[code].message, detail: message }],
    jsonapi,
  };
  sendDocument(response.status(status), document);
}

/** Sends a document. JSON:API's media type allows no parameters, so the charset is omitted. */
export function sendDocument(response: Response, document: object): void {
  sendJson(response, document, JSON_API);
}
