/**
 * How errors leave the service: `{"error": {"code", "message"}}` (a JSON:API document below /api/v1) with a stable code
 * and the fitting HTTP status.
 */
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { ERRORS, ServiceError, toWireError, type ErrorCode } from '../../protocol/errors.ts';
import { isDatabaseAway } from '../database/away.ts';
import { sendErrorDocument } from './json-api.ts';

/** The HTTP status for a code, of some by the path; one that no interface answers with is a fault of ours. */
export function statusOf(code: ErrorCode, path = ''): number {
  return code === 'invalid-signature' && PAYMAIL_RECEIVES.test(path) ? 400 : (ERRORS[code].http ?? 500);
}

/** When to ask again, where nothing else says it (seconds). */
const RETRY_AFTER = '5';

/** What body-parser, Express and a database that is away throw, as one of our errors. */
function asServiceError(error: unknown): unknown {
  if (isDatabaseAway(error)) return new ServiceError('service-unavailable', { cause: error });
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return error;
  if (error.status === 413) return new ServiceError('too-large', { cause: error });
  if (error.status >= 400 && error.status < 500) return new ServiceError('invalid-request', { cause: error });
  return error;
}

/**
 * What our own log may say of an error. A failed query's own message holds its parameters, and a parser's the body it
 * could not read: of those only the name stays, and the chain below goes on.
 */
export function describeError(error: unknown): string {
  const lines: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const silent = at.constructor.name === 'DrizzleQueryError' || at instanceof SyntaxError || at instanceof URIError;
    const code = 'code' in at && typeof at.code === 'string' ? at.code : '';
    const detail = at instanceof ServiceError ? at.detail : silent ? '' : at.message;
    lines.push([at.name, code, detail].filter(Boolean).join(': '));
  }
  return lines.join(' <- ') || typeof error;
}

/**
 * Asked by OAuth's clients, which read an error as a text (RFC 6749, section 5.2). What is wrong by OAuth's own rules
 * is answered there.
 */
const OAUTH = /^\/oauth\/v1\/(?:token|revoke|introspect|auth-proxy\/token)(?:\?|$)/;

/** Asked by paymail clients, of other services too: what other hosts answer has code and message at the top. */
const PAYMAIL = /^\/(?:bsvalias|\.well-known\/bsvalias)(?:[/?]|$)/;
/** Takes transactions in: there a signature is a part of what is handed in, and not what lets somebody in. */
const PAYMAIL_RECEIVES = /^\/bsvalias\/receive-/;

/**
 * Answers an error in the form of the API's generation that was asked: the second's is everywhere but below /api/v1.
 */
function sendError(request: Request, response: Response, error: unknown): void {
  const wire = toWireError(asServiceError(error));
  const status = statusOf(wire.code, request.originalUrl);
  if (request.originalUrl.startsWith('/api/v1/')) sendErrorDocument(response, status, wire);
  else if (OAUTH.test(request.originalUrl))
    response.status(status).json({ error: wire.code.replaceAll('-', '_'), error_description: wire.message });
  else if (PAYMAIL.test(request.originalUrl)) response.status(status).json({ ...wire, error: wire });
  else response.status(status).json({ error: wire });
}

/**
 * The last handler: answers what was thrown, and logs what the caller may not know.
 * @param show answers a person, and says whether it did
 */
export function errorHandler(
  log: Logger,
  show: (request: Request, response: Response, code: ErrorCode, status: number) => boolean = () => false,
): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    const error = asServiceError(thrown);
    const { code } = toWireError(error);
    const status = statusOf(code);
    const entry = { requestId: request.res?.locals.requestId as unknown, error: describeError(error) };
    // The source of rates has its own line in the log when it fails, and a gauge.
    if (status >= 500 && code !== 'rate-unavailable') log.error({ ...entry, stack: stackOf(error) }, 'request failed');
    else log.debug(entry, 'request refused');
    if (response.headersSent) return next(thrown);
    if (code === 'service-unavailable' && !response.hasHeader('Retry-After')) response.set('Retry-After', RETRY_AFTER);
    if (!show(request, response, code, status)) sendError(request, response, error);
  };
}

/** Where an error came from, without its message. */
function stackOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
    .map((line) => line.trim());
}
