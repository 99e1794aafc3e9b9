/** Parameters of OAuth requests, in a query or a form (RFC 6749, sections 3.1 and 3.2). */
import type { Request, RequestHandler } from 'express';
import { textBody } from '../http/body.ts';
import { OAuthError } from './error.ts';

/** Received parameters. Empty parameters are treated as missing. Repeated parameters have no value. */
export interface Parameters {
  get(name: string): string | undefined;
  repeated: readonly string[];
}

/** Parses parameters from `application/x-www-form-urlencoded` text. */
export function readParameters(text: string): Parameters {
  const all = new URLSearchParams(text);
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  // A single pass, because searching for each of many names would be quadratic.
  for (const [name, value] of all) {
    if (values.has(name)) repeated.add(name);
    values.set(name, value);
  }
  return { repeated: [...repeated], get: (name) => (repeated.has(name) ? undefined : values.get(name) || undefined) };
}

export function queryParameters(request: Request): Parameters {
  const at = request.url.indexOf('?');
  return readParameters(at < 0 ? '' : request.url.slice(at + 1));
}

const FORM = 'application/x-www-form-urlencoded';

/** Reads a form as text, and ignores other content types. */
export const formBody: RequestHandler = textBody(FORM, '100kb');

/**
 * Returns the parameters of a form read by {@link formBody}.
 * @throws OAuthError `invalid_request` (repeated parameters)
 */
export function formParameters(request: Request): Parameters {
  if (typeof request.body !== 'string') throw new OAuthError('invalid_request', `The body must be ${FORM}.`);
  const parameters = readParameters(request.body);
  if (parameters.repeated.length > 0) throw new OAuthError('invalid_request', 'A parameter was sent more than once.');
  return parameters;
}

/** Returns a required parameter. @throws OAuthError `invalid_request` */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}
