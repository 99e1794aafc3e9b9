/** Finds routes by exact path. Express's sequential matching would dominate the latency of fast requests. */
import type { ErrorRequestHandler, NextFunction, RequestHandler } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { RouteFamily } from './route.ts';

async function passOn(pending: Promise<unknown>, next: NextFunction): Promise<void> {
  try {
    await pending;
  } catch (error) {
    next(error || new Error('rejected'));
  }
}

/** Combines handlers into one that runs them in order, as Express does. */
export function inSequence(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    let at = 0;
    const advance = (error?: unknown): void => {
      if (error) return next(error);
      const handler = handlers[at];
      at += 1;
      if (!handler) return next();
      try {
        const pending: unknown = handler(request, response, advance);
        if (pending instanceof Promise) void passOn(pending, next);
      } catch (thrown) {
        next(thrown);
      }
    };
    advance();
  };
}

interface ExactRoute {
  path: string;
  handle: RequestHandler;
  onError: ErrorRequestHandler | undefined;
}

/**
 * Serves the families' parameterless routes for requests whose paths match exactly. The routers handle other requests:
 * `HEAD`, different case, trailing slashes.
 */
export function exactRoutes(families: readonly RouteFamily[]): RequestHandler {
  const known = new Map<string, ExactRoute>();
  for (const { routes, onError } of families)
    for (const { method, path, handlers } of routes)
      if (!path.includes('{'))
        known.set(`${method.toUpperCase()} ${path}`, { path, handle: inSequence(handlers), onError });
  return (request, response, next) => {
    const found = known.get(`${request.method} ${request.path}`);
    if (!found) return next();
    const { path, handle, onError } = found;
    // Express's own routes also set `request.route`, which the log and the metrics use.
    request.route = { path };
    return handle(request, response, (error?: unknown) => {
      // Calling `next` without an error would run the route again, in the family's router.
      const failure = error || new ServiceError('not-found');
      if (!onError) return next(failure);
      try {
        void onError(failure, request, response, next);
      } catch (thrown) {
        next(thrown);
      }
    });
  };
}
