/** The webhooks of an application, for its owner. */
import { Router, type Request } from 'express';
import { ServiceError } from '../../protocol/errors.ts';
import { findOwnApplication } from '../applications/store.ts';
import { noStore } from '../http/headers.ts';
import { requireOwner, type OwnerContext } from '../identity/owner.ts';
import { listEvents, resendEvent } from './log.ts';

const EVENT_ID = /^msg_[A-Za-z0-9]{1,40}$/;
const MOST = 100;

/** Reads `limit`, 1 to 100, 20 where it is left out. */
function readLimit(given: unknown): number {
  if (given === undefined) return 20;
  const limit = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (limit < 1 || limit > MOST) throw new ServiceError('invalid-request');
  return limit;
}

/**
 * For a wallet's token and for the session of this service's pages; somebody else's application is 404 `unknown-application`.
 * - GET /api/v2/me/applications/{id}/webhook-events?limit&cursor: 200 `{events, nextCursor}`, the newest first; 400 `invalid-request`.
 * - POST /api/v2/me/applications/{id}/webhook-events/{eventId}/resend: 202, it is due now; 404 `not-found`.
 */
export function webhookRoutes(context: OwnerContext): Router {
  const { db, now } = context;
  const router = Router();

  const ownApplication = async (request: Request): Promise<string> => {
    const user = await requireOwner(context, request);
    return (await findOwnApplication(db, user.id, String(request.params.id))).id;
  };

  router.get('/api/v2/me/applications/:id/webhook-events', noStore, async (request, response) => {
    const applicationId = await ownApplication(request);
    const { cursor } = request.query;
    if (cursor !== undefined && typeof cursor !== 'string') throw new ServiceError('invalid-request');
    const page = await listEvents(db, applicationId, { limit: readLimit(request.query.limit), cursor: cursor ?? null });
    if (!page) throw new ServiceError('invalid-request');
    response.json(page);
  });

  router.post('/api/v2/me/applications/:id/webhook-events/:eventId/resend', noStore, async (request, response) => {
    const applicationId = await ownApplication(request);
    const eventId = String(request.params.eventId);
    if (!EVENT_ID.test(eventId) || !(await resendEvent(db, applicationId, eventId, now()))) throw new ServiceError('not-found');
    response.status(202).json({});
  });

  return router;
}
