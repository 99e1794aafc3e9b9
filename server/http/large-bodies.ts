/** How many large bodies one process has in its memory at the same time. */
import type { RequestHandler, Response } from 'express';
import { ServiceError } from '../../protocol/errors.ts';

/** Larger bodies count, in bytes; and those whose size is not told or that come compressed. */
const LARGE = 1_000_000;
/** Most at the same time, of all and of one caller: each may cost several times its 25 MB. */
const AT_ONCE = 8;
const OF_ONE = 2;
/** When it is worth another try, in seconds. */
const RETRY_AFTER = 5;

/**
 * Lets in so many requests with a large body, each until it is answered; before the body is read. Others are told 503
 * `service-unavailable` with Retry-After: wallets report again.
 * @param callerOf who sends it
 */
export function limitLargeBodies(callerOf: (response: Response) => string): RequestHandler {
  const underWay = new Map<string, number>();
  let all = 0;
  return (request, response, next) => {
    const told = request.headers['content-encoding'] === undefined ? Number(request.headers['content-length'] ?? Infinity) : Infinity;
    if (told <= LARGE) return next();
    // Gone already: its close, which would give the place back, has been.
    if (response.destroyed) return;
    const caller = callerOf(response);
    const own = underWay.get(caller) ?? 0;
    if (all >= AT_ONCE || own >= OF_ONE) {
      response.set('Retry-After', String(RETRY_AFTER));
      throw new ServiceError('service-unavailable');
    }
    all += 1;
    underWay.set(caller, own + 1);
    response.once('close', () => {
      all -= 1;
      const left = (underWay.get(caller) ?? 1) - 1;
      if (left === 0) underWay.delete(caller);
      else underWay.set(caller, left);
    });
    next();
  };
}
