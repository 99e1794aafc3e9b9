/** JSON:API 1.0, as far as the first generation speaks it. */
import type { Response } from 'express';
import type * as z from 'zod/mini';
import { JSON_API, type errorDocument } from '../../protocol/api-v1.ts';
import { ERRORS, type WireError } from '../../protocol/errors.ts';

const jsonapi = { version: '1.0' } as const;

/** A document without its `jsonapi` member, which {@link sendDocument} adds. */
export type Content<S extends z.ZodMiniType> = Omit<z.output<S>, 'jsonapi'>;

/** Sends a document; the schema is only named, so that what is sent fits it. */
export function sendDocument<S extends z.ZodMiniType>(response: Response, _schema: S, content: Content<S>): void {
  send(response, { ...content, jsonapi });
}

/** Sends an error. */
export function sendErrorDocument(response: Response, status: number, { code, message }: WireError): void {
  const id = String(response.locals.requestId ?? '');
  const document: z.infer<typeof errorDocument> = {
    errors: [{ id, status: String(status), code, title: ERRORS[code].message, detail: message }],
    jsonapi,
  };
  send(response.status(status), document);
}

function send(response: Response, document: object): void {
  const text = JSON.stringify(document);
  // Not by Express, which would add a charset to text: the media type allows no parameters.
  response.setHeader('Content-Type', JSON_API);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
