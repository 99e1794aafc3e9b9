/** One log line and one measurement per request, without headers, bodies, cookies or queries. */
import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';

/** Returns the declared route, for example `/api/v2/payments/:id`, which contains no values from the caller. */
function routeTemplate(request: Request): string {
  const route: unknown = (request.route as { path?: unknown } | undefined)?.path;
  return typeof route === 'string' ? request.baseUrl + route : 'unmatched';
}

/** Returns the HTTP status, or how the connection ended: `unanswered` before the response, `cut-off` during it. */
function statusOf(response: Response): string {
  if (response.writableFinished) return String(response.statusCode);
  return response.headersSent ? 'cut-off' : 'unanswered';
}

/** Logs and measures each request when it ends. The response's `X-Request-Id` is also in the log. */
export function requestLog(log: Logger, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    response.locals.requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
      const ms = performance.now() - started;
      const labels = { method: request.method, route: routeTemplate(request), status: statusOf(response) };
      metrics.requestSeconds.observe(labels, ms / 1000);
      const entry = { requestId, ...labels, ms: Math.round(ms) };
      const quiet = labels.route === '/healthz' || labels.route === '/readyz' || labels.route === '/metrics';
      log[quiet ? 'debug' : 'info'](entry, 'request');
    });
    next();
  };
}
