/** Forms of the pages: `application/x-www-form-urlencoded`, read without a script. */
import express, { type RequestHandler } from 'express';

/** The fields of a form. One that came twice is none. */
export type Fields = Readonly<Partial<Record<string, string>>>;

/** Reads a form of at most 20 kB and 50 fields. Any other content type leaves no fields. */
export const formBody: RequestHandler = express.urlencoded({ extended: false, limit: '20kb', parameterLimit: 50 });

/** The fields of a body that {@link formBody} read. Lines end as they do everywhere but in forms. */
export function fieldsOf(body: unknown): Fields {
  const texts = Object.entries((body ?? {}) as Record<string, unknown>).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts.map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]));
}

/** Name of the hidden field that carries the session's form token. */
export const FORM_TOKEN = 'form-token';
