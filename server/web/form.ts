/** Forms of the pages: `application/x-www-form-urlencoded`, read without a script. */
import type { RequestHandler } from 'express';
import { ServiceError } from '../../protocol/errors.ts';
import { textBody } from '../http/body.ts';

/** The fields of a form. Repeated fields are ignored. */
export type Fields = Readonly<Partial<Record<string, string>>>;

const MOST_FIELDS = 50;

/** Reads a form of at most 20 kB. Any other content type leaves no fields. */
export const formBody: RequestHandler = textBody('application/x-www-form-urlencoded', '20kb');

/**
 * The fields of a body that {@link formBody} read. Lines end as they do everywhere but in forms.
 * @throws ServiceError `too-large` for more than 50 fields
 */
export function fieldsOf(body: unknown): Fields {
  const all = new URLSearchParams(typeof body === 'string' ? body : '');
  if (all.size > MOST_FIELDS) throw new ServiceError('too-large');
  const once = [...all].filter(([name]) => all.getAll(name).length === 1);
  return Object.fromEntries(once.map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]));
}

/** Name of the hidden field that carries the session's form token. */
export const FORM_TOKEN = 'form-token';
