/** Form bodies: `application/x-www-form-urlencoded`, and `multipart/form-data` with a file. */
import type { RequestHandler } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { bytesBody, textBody } from '../http/body.ts';

/** A form's fields. Repeated fields are dropped. */
export type Fields = Readonly<Partial<Record<string, string>>>;

const MAX_FIELDS = 50;

/** Reads a form of at most 20 kB, and ignores other content types. */
export const formBody: RequestHandler = textBody('application/x-www-form-urlencoded', '20kb');

/**
 * Returns the fields read by {@link formBody}, with LF line breaks.
 * @throws ServiceError `too-large` (over 50 fields)
 */
export function fieldsOf(body: unknown): Fields {
  const all = new URLSearchParams(typeof body === 'string' ? body : '');
  if (all.size > MAX_FIELDS) throw new ServiceError('too-large');
  const once = [...all].filter(([name]) => all.getAll(name).length === 1);
  return Object.fromEntries(once.map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]));
}

/** Reads a form with a file, at most 1 MB, and ignores other content types. */
export const fileBody: RequestHandler = bytesBody('multipart/form-data', '1mb');

/** Returns the fields read by {@link fileBody}, and the files' bytes by field (RFC 7578). */
export async function filesOf(
  body: unknown,
  contentType: string,
): Promise<{ fields: Fields; files: Readonly<Partial<Record<string, Uint8Array>>> }> {
  if (!(body instanceof Uint8Array)) return { fields: {}, files: {} };
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } })
    .formData()
    .catch((cause: unknown) => {
      throw new ServiceError('invalid-request', { cause });
    });
  const all = [...form];
  if (all.length > MAX_FIELDS) throw new ServiceError('too-large');
  const once = all.filter(([name]) => form.getAll(name).length === 1);
  const read = await Promise.all(
    once.map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.bytes()] as const),
  );
  return {
    fields: Object.fromEntries(read.filter((one): one is [string, string] => typeof one[1] === 'string')),
    files: Object.fromEntries(
      read.filter((one): one is [string, Uint8Array<ArrayBuffer>] => typeof one[1] !== 'string'),
    ),
  };
}

/** Name of the hidden field for the session's form token. */
export const FORM_TOKEN = 'form-token';
