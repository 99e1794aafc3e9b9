/** What came in by paymail, for the wallets of those who were paid; and where a user ID is paid. */
import { Router } from 'express';
import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors.ts';
import {
  acknowledgement,
  receivedQuery,
  type acknowledgementResponse,
  type receivedResponse,
  type userPaymailResponse,
} from '../../protocol/received.ts';
import { readQuery, requireAccess, type ApiContext } from './access.ts';
import { users } from '../database/schema.ts';
import { jsonBody, readBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import type { Lifecycle } from '../http/health.ts';
import type { User } from '../identity/accounts.ts';
import { createEventStreams } from '../received/event-streams.ts';
import { acknowledge, readInbox } from '../received/inbox.ts';

/**
 * All but the last take a wallet's bearer token (401 `unauthenticated`).
 * - GET /api/v2/me/received?after: 200, what was not acknowledged yet, as much as fits into one answer. 400
 * `invalid-request`.
 * - POST /api/v2/me/received/acknowledgements: 200, also for what is somebody else's or does not exist, which changes
 * nothing.
 *   400 `invalid-request`.
 * - GET /api/v2/me/received/events: 200, server-sent events: `received` whenever something new waits. 503
 * `service-unavailable`.
 * - GET /api/v2/users/{id}/paymail: 200 for anybody; 404 `unknown-recipient`.
 */
export function receivedRoutes(context: ApiContext & { lifecycle: Lifecycle }): Router {
  const { db, now, addresses } = context;
  const streams = createEventStreams(context);
  const router = Router();

  router.get('/api/v2/me/received', noStore, async (request, response) => {
    const { user } = await requireAccess(context, request, response, {});
    const body: z.infer<typeof receivedResponse> = await readInbox(
      db,
      (user as User).id,
      readQuery(receivedQuery, request),
    );
    response.json(body);
  });

  router.post('/api/v2/me/received/acknowledgements', noStore, jsonBody('100kb'), async (request, response) => {
    const { user } = await requireAccess(context, request, response, {});
    const { ids } = readBody(acknowledgement, request.body);
    const body: z.infer<typeof acknowledgementResponse> = {
      acknowledged: await acknowledge(db, (user as User).id, ids, now()),
    };
    response.json(body);
  });

  router.get('/api/v2/me/received/events', noStore, async (request, response) => {
    const { user, expiresAt } = await requireAccess(context, request, response, {});
    if (request.method === 'HEAD') response.end();
    else streams.open((user as User).id, expiresAt, response);
  });

  router.get('/api/v2/users/:id/paymail', noStore, async (request, response) => {
    const id = String(request.params.id);
    const [user] = /^[1-9]\d{0,14}$/.test(id)
      ? await db
          .select()
          .from(users)
          .where(eq(users.id, Number(id)))
      : [];
    if (!user) throw new ServiceError('unknown-recipient');
    const body: z.infer<typeof userPaymailResponse> = {
      id,
      paymail: `${user.handle}@${addresses.paymailDomain}`,
      name: user.name,
    };
    response.json(body);
  });

  return router;
}
