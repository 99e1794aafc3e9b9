/** The webhooks of an application, for its owner. */
import { Router, type Request } from 'express';
import { ServiceError } from '../../protocol/errors.ts';
import { findOwnApplication, type Application } from '../applications/store.ts';
import { noStore } from '../http/headers.ts';
import { requireOwner, type OwnerContext } from '../identity/owner.ts';
import { listEvents } from '../webhooks/log.ts';
import { resend, type ResendContext } from '../webhooks/resend.ts';

const MOST = 100;

/** Reads `limit`, 1 to 100, 20 where it is left out. */
function readLimit(given: unknown): number {
  if (given === undefined) return 20;
  const limit = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (limit < 1 || limit > MOST) throw new ServiceError('invalid-request');
  return limit;
}

/**
 * For a wallet's token and for the session of this service's pages; somebody else's application is 404
 * `unknown-application`.
 * - GET /api/v2/me/applications/{id}/webhook-events?limit&cursor: 200 `{events, nextCursor}`, the newest first; 400
 * `invalid-request`.
 * - POST /api/v2/me/applications/{id}/webhook-events/{eventId}/resend: 202, it is due now; 404 `not-found`; 429
 * `too-many-requests`, by how many bytes are sent again.
 */
export function webhookRoutes(context: OwnerContext & ResendContext): Router {
  const { db } = context;
  const router = Router();

  const ownApplication = async (request: Request): Promise<Application> => {
    const user = await requireOwner(context, request);
    return findOwnApplication(db, user.id, String(request.params.id));
  };

  router.get('/api/v2/me/applications/:id/webhook-events', noStore, async (request, response) => {
    const { id: applicationId } = await ownApplication(request);
    const { cursor } = request.query;
    if (cursor !== undefined && typeof cursor !== 'string') throw new ServiceError('invalid-request');
    const page = await listEvents(db, applicationId, { limit: readLimit(request.query.limit), cursor: cursor ?? null });
    if (!page) throw new ServiceError('invalid-request');
    response.json(page);
  });

  router.post('/api/v2/me/applications/:id/webhook-events/:eventId/resend', noStore, async (request, response) => {
    await resend(context, await ownApplication(request), String(request.params.eventId), response);
    response.status(202).json({});
  });

  return router;
}
