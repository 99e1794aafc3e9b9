/** Errors from the OAuth endpoints, in the format of RFC 6749, section 5.2. */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { statusOf } from '../http/errors.ts';

/** Error codes of RFC 6749, sections 4.1.2.1 and 5.2, and RFC 6750, section 3.1. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied';

/** An error for an OAuth client. `message` becomes `error_description`: plain ASCII without private data. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  /** Value of `WWW-Authenticate`, which is mandatory for 401 (RFC 9110, section 15.5.2). */
  readonly challenge: string | undefined;

  constructor(code: OAuthErrorCode, message: string, challenge?: string) {
    super(message);
    this.name = 'OAuthError';
    this.code = code;
    this.challenge = challenge;
  }

  get status(): number {
    return this.challenge === undefined ? 400 : 401;
  }
}

/**
 * Returns the error for failed client authentication: 401 with a challenge. The message is the same for every reason
 * so that callers can't find out which identifiers require secrets.
 */
export function invalidClient(message = 'The client is unknown, or its secret is missing or wrong.'): OAuthError {
  return new OAuthError('invalid_client', message, 'Basic realm="oauth", charset="UTF-8"');
}

/** Returns the error for an invalid bearer token (RFC 6750, section 3.1). */
export function invalidToken(): OAuthError {
  return new OAuthError(
    'invalid_token',
    'The access token is unknown, expired or revoked.',
    'Bearer error="invalid_token"',
  );
}

/** Sends {@link OAuthError} and body parser errors in OAuth's format, and passes on other errors. */
export const oauthErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (error instanceof OAuthError) {
    if (error.challenge !== undefined) response.set('WWW-Authenticate', error.challenge);
    response.status(error.status).json({ error: error.code, error_description: error.message });
  } else if (error instanceof ServiceError && UNREADABLE.has(error.code)) {
    response
      .status(statusOf(error.code))
      .json({ error: 'invalid_request', error_description: 'The body cannot be read.' });
  } else {
    next(error);
  }
};

/** Errors while reading a body (http/body.ts): malformed, too large, too slow. */
const UNREADABLE: ReadonlySet<string> = new Set(['invalid-request', 'too-large', 'request-timeout']);

/** Responds to any method except POST (RFC 6749, section 3.2). */
export const postOnly: RequestHandler = (_request, response) => {
  response.status(405).set('Allow', 'POST').json({ error: 'invalid_request', error_description: 'Use POST.' });
};

/** Disables caching (RFC 6749, section 5.1). */
export const uncached: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Pragma', 'no-cache');
  next();
};
