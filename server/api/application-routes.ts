/** A user's own applications, for the wallet and for this service's own pages. */
import { Router, type Request, type Response } from 'express';
import type { Database } from '../database/connect.ts';
import { jsonBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { answerOnce, type Answer } from '../http/idempotency.ts';
import { assertChecked } from '../http/problems.ts';
import { requireOwner, type OwnerContext } from '../identity/owner.ts';
import { checkChanges, checkNewApplication, type DetailsPolicy } from '../applications/details.ts';
import {
  createApplication,
  deleteApplication,
  findOwnApplication,
  listApplications,
  rotateClientSecret,
  rotateWebhookSecret,
  updateApplication,
} from '../applications/store.ts';
import { applicationView } from '../applications/view.ts';

const ALL = '/api/v2/me/applications';
const ONE = `${ALL}/:id`;
const idOf = (request: Request) => String(request.params.id);

/**
 * All take a wallet's bearer token, or the session of this service's own pages (401 `unauthenticated`, 403 `forbidden`,
 * `insufficient-scope`). What is somebody else's does not exist: 404 `unknown-application`. Writes take `Idempotency-Key`.
 * - POST /api/v2/me/applications: 201 with both secrets; 400 `invalid-request`; 409 `too-many-applications`.
 * - GET /api/v2/me/applications, GET …/{id}: 200.
 * - PATCH …/{id}: 200; 400 `invalid-request`.
 * - DELETE …/{id}: 204.
 * - POST …/{id}/secret, POST …/{id}/webhook-secret: 200 with the new secret, the old one being worth nothing from then
 * on.
 */
export function applicationRoutes(owner: OwnerContext & { settings: DetailsPolicy }): Router {
  const router = Router();
  const { db, now, settings: policy } = owner;

  /** A write of the owner's, made once for each `Idempotency-Key`. */
  const writes =
    (write: (tx: Database, userId: number, request: Request) => Promise<Answer>) =>
    async (request: Request, response: Response) => {
      const user = await requireOwner(owner, request);
      await answerOnce({
        db,
        now,
        request,
        response,
        subject: `user:${user.id}`,
        write: (tx) => write(tx, user.id, request),
      });
    };

  router.post(
    ALL,
    noStore,
    jsonBody('100kb'),
    writes(async (tx, userId, request) => {
      const { application, clientSecret, webhookSecret } = await createApplication(
        tx,
        userId,
        assertChecked(checkNewApplication(request.body, policy)),
        now(),
      );
      return { status: 201, body: { application: { ...applicationView(application), clientSecret, webhookSecret } } };
    }),
  );

  router.get(ALL, noStore, async (request, response) => {
    const user = await requireOwner(owner, request);
    response.json({ applications: (await listApplications(db, user.id)).map(applicationView) });
  });

  router.get(ONE, noStore, async (request, response) => {
    const user = await requireOwner(owner, request);
    response.json({ application: applicationView(await findOwnApplication(db, user.id, idOf(request))) });
  });

  router.patch(
    ONE,
    noStore,
    jsonBody('100kb'),
    writes(async (tx, userId, request) => {
      const changes = assertChecked(checkChanges(request.body, policy));
      return {
        status: 200,
        body: { application: applicationView(await updateApplication(tx, userId, idOf(request), changes, now())) },
      };
    }),
  );

  router.delete(
    ONE,
    noStore,
    writes(async (tx, userId, request) => {
      await deleteApplication(tx, userId, idOf(request));
      return { status: 204 };
    }),
  );

  router.post(
    `${ONE}/secret`,
    noStore,
    writes(async (tx, userId, request) => {
      const { application, clientSecret } = await rotateClientSecret(tx, userId, idOf(request), now());
      return { status: 200, body: { application: { ...applicationView(application), clientSecret } } };
    }),
  );

  router.post(
    `${ONE}/webhook-secret`,
    noStore,
    writes(async (tx, userId, request) => {
      const { application, webhookSecret } = await rotateWebhookSecret(tx, userId, idOf(request), now());
      return { status: 200, body: { application: { ...applicationView(application), webhookSecret } } };
    }),
  );

  return router;
}
