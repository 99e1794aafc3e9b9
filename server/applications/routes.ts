/** A user's own applications, for the wallet and for this service's own pages. */
import { Router, type Request } from 'express';
import { jsonBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { assertChecked } from '../http/problems.ts';
import { requireOwner, type OwnerContext } from '../identity/owner.ts';
import { checkChanges, checkNewApplication, type DetailsPolicy } from './details.ts';
import { createApplication, deleteApplication, findOwnApplication, listApplications, rotateClientSecret, rotateWebhookSecret, updateApplication } from './store.ts';
import { applicationView } from './view.ts';

const ALL = '/api/v2/me/applications';
const ONE = `${ALL}/:id`;
const idOf = (request: Request) => String(request.params.id);

/**
 * All take a wallet's bearer token, or the session of this service's own pages (401 `unauthenticated`, 403 `forbidden`,
 * `insufficient-scope`). What is somebody else's does not exist: 404 `unknown-application`.
 * - POST /api/v2/me/applications: 201 with both secrets; 400 `invalid-request`; 409 `too-many-applications`.
 * - GET /api/v2/me/applications, GET …/{id}: 200.
 * - PATCH …/{id}: 200; 400 `invalid-request`.
 * - DELETE …/{id}: 204.
 * - POST …/{id}/secret, POST …/{id}/webhook-secret: 200 with the new secret, the old one being worth nothing from then on.
 */
export function applicationRoutes(owner: OwnerContext & { settings: DetailsPolicy }): Router {
  const router = Router();
  const { db, now, settings: policy } = owner;

  router.post(ALL, noStore, jsonBody('100kb'), async (request, response) => {
    const user = await requireOwner(owner, request);
    const made = await createApplication(db, user.id, assertChecked(checkNewApplication(request.body, policy)), now());
    const { application, clientSecret, webhookSecret } = made;
    response.status(201).json({ application: { ...applicationView(application), clientSecret, webhookSecret } });
  });

  router.get(ALL, noStore, async (request, response) => {
    const user = await requireOwner(owner, request);
    response.json({ applications: (await listApplications(db, user.id)).map(applicationView) });
  });

  router.get(ONE, noStore, async (request, response) => {
    const user = await requireOwner(owner, request);
    response.json({ application: applicationView(await findOwnApplication(db, user.id, idOf(request))) });
  });

  router.patch(ONE, noStore, jsonBody('100kb'), async (request, response) => {
    const user = await requireOwner(owner, request);
    const changes = assertChecked(checkChanges(request.body, policy));
    response.json({ application: applicationView(await updateApplication(db, user.id, idOf(request), changes, now())) });
  });

  router.delete(ONE, noStore, async (request, response) => {
    const user = await requireOwner(owner, request);
    await deleteApplication(db, user.id, idOf(request));
    response.status(204).end();
  });

  router.post(`${ONE}/secret`, noStore, async (request, response) => {
    const user = await requireOwner(owner, request);
    const { application, clientSecret } = await rotateClientSecret(db, user.id, idOf(request), now());
    response.json({ application: { ...applicationView(application), clientSecret } });
  });

  router.post(`${ONE}/webhook-secret`, noStore, async (request, response) => {
    const user = await requireOwner(owner, request);
    const { application, webhookSecret } = await rotateWebhookSecret(db, user.id, idOf(request), now());
    response.json({ application: { ...applicationView(application), webhookSecret } });
  });

  return router;
}
