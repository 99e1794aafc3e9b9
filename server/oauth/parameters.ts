/** Parameters of OAuth requests, in a query or a form (RFC 6749, sections 3.1 and 3.2). */
import express, { type Request, type RequestHandler } from 'express';
import { OAuthError } from './error.ts';

/** Parameters as they came. One without a value counts as left out; of one that came more than once nothing is known. */
export interface Parameters {
  get(name: string): string | undefined;
  /** The names that came more than once. */
  repeated: readonly string[];
}

/** Reads parameters out of `application/x-www-form-urlencoded` text. */
export function readParameters(text: string): Parameters {
  const all = new URLSearchParams(text);
  const repeated = [...new Set(all.keys())].filter((name) => all.getAll(name).length > 1);
  return { repeated, get: (name) => (repeated.includes(name) ? undefined : all.get(name) || undefined) };
}

/** The parameters of a request's address. */
export function queryParameters(request: Request): Parameters {
  const at = request.url.indexOf('?');
  return readParameters(at < 0 ? '' : request.url.slice(at + 1));
}

const FORM = 'application/x-www-form-urlencoded';

/** Reads a form as text; other content types leave no body. */
export const formBody: RequestHandler = express.text({ type: FORM, limit: '100kb' });

/**
 * The parameters of a form that {@link formBody} read, each at most once.
 * @throws OAuthError `invalid_request`
 */
export function formParameters(request: Request): Parameters {
  if (typeof request.body !== 'string') throw new OAuthError('invalid_request', `The body must be ${FORM}.`);
  const parameters = readParameters(request.body);
  if (parameters.repeated.length > 0) throw new OAuthError('invalid_request', 'A parameter was sent more than once.');
  return parameters;
}

/** A parameter that must be there. @throws OAuthError `invalid_request` */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}
