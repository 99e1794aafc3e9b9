/** Error responses: `{"error": {"code", "message"}}`, or a JSON:API document under /api/v1. */
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { ERRORS, ServiceError, toWireError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import { isDatabaseAway } from '../database/away.ts';
import { sendErrorDocument } from './json-api.ts';

/** Returns a code's HTTP status, which depends on the path for some codes. Default: 500. */
export function statusOf(code: ErrorCode, path = ''): number {
  return code === 'invalid-signature' && PAYMAIL_RECEIVES.test(path) ? 400 : (ERRORS[code].http ?? 500);
}

/** Default Retry-After in seconds. */
const RETRY_AFTER = '5';

/** Converts errors from body-parser, Express and an unavailable database to service errors. */
function asServiceError(error: unknown): unknown {
  if (isDatabaseAway(error)) return new ServiceError('service-unavailable', { cause: error });
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return error;
  if (error.status === 413) return new ServiceError('too-large', { cause: error });
  if (error.status >= 400 && error.status < 500) return new ServiceError('invalid-request', { cause: error });
  return error;
}

/**
 * Describes an error for our own log. Messages of failed queries and parsers contain values, so only the names of
 * those errors are logged.
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

/** OAuth endpoints, whose errors have OAuth's format (RFC 6749, 5.2). Their routes handle OAuth's own errors. */
const OAUTH = /^\/oauth\/v1\/(?:token|revoke|introspect|auth-proxy\/token)(?:\?|$)/;

/** Paymail endpoints, whose clients, including other services, expect code and message at the top level. */
const PAYMAIL = /^\/(?:bsvalias|\.well-known\/bsvalias)(?:[/?]|$)/;
/** Endpoints that receive transactions. The signature in a transaction's metadata doesn't authenticate the caller. */
const PAYMAIL_RECEIVES = /^\/bsvalias\/receive-/;

/** Sends an error in the format of the API version: JSON:API under /api/v1, otherwise v2's format. */
function sendError(request: Request, response: Response, error: unknown): void {
  const wire = toWireError(asServiceError(error));
  const status = statusOf(wire.code, request.originalUrl);
  if (request.originalUrl.startsWith('/api/v1/')) sendErrorDocument(response, status, wire);
  else if (OAUTH.test(request.originalUrl))
    response.status(status).json({ error: wire.code.replaceAll('-', '_'), error_description: wire.message });
  else if (PAYMAIL.test(request.originalUrl)) response.status(status).json({ ...wire, error: wire });
  else response.status(status).json({ error: wire });
}

/** Creates the final error handler, which logs and responds. @param show responds with a page, or returns false */
export function errorHandler(
  log: Logger,
  show: (request: Request, response: Response, code: ErrorCode, status: number) => boolean = () => false,
): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    const error = asServiceError(thrown);
    const { code } = toWireError(error);
    const status = statusOf(code);
    const entry = { requestId: request.res?.locals.requestId as unknown, error: describeError(error) };
    // Rate source failures have their own log line and metric.
    if (status >= 500 && code !== 'rate-unavailable') log.error({ ...entry, stack: stackOf(error) }, 'request failed');
    else log.debug(entry, 'request refused');
    if (response.headersSent) return next(thrown);
    if (code === 'service-unavailable' && !response.hasHeader('Retry-After')) response.set('Retry-After', RETRY_AFTER);
    if (!show(request, response, code, status)) sendError(request, response, error);
  };
}

function stackOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
    .map((line) => line.trim());
}
