import * as api from '../../../protocol/http/applications.ts';
import { checkChanges, checkNewApplication, type DetailsPolicy } from '../../applications/details.ts';
import {
  createApplication,
  deleteApplication,
  endPreviousWebhookSecret,
  findOwnApplication,
  listApplications,
  rotateClientSecret,
  rotateWebhookSecret,
  updateApplication,
} from '../../applications/store.ts';
import { applicationView } from '../../applications/view.ts';
import { readBody } from '../../http/body.ts';
import { assertChecked } from '../../http/problems.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { routeMaker, type ApiContext } from '../route.ts';
import { APPLICATION, TIME, TOKEN } from '../openapi/samples.ts';

const ALL = '/api/v2/me/applications';
const ONE = `${ALL}/{id}` as const;
const shared = { tag: 'Applications', by: 'owner' } as const;

/** Requests for another user's application get 404 `unknown-application`, as if it didn't exist. */
export function applicationRoutes(context: ApiContext & { settings: DetailsPolicy }): RouteFamily {
  const { now } = context;
  const policy: DetailsPolicy = { ...context.settings, own: context.addresses };
  const route = routeMaker(context);

  return serve([
    route(
      {
        ...shared,
        id: 'createApplication',
        method: 'post',
        path: ALL,
        summary: 'Creates an application. Its secrets are returned only once',
        body: api.newApplication,
        answers: { 201: api.createdApplicationResponse },
        errors: ['invalid-request', 'too-many-applications'],
        once: true,
        example: {
          body: { name: 'Garden shop', url: 'https://shop.example', webhookUrl: 'https://shop.example/webhook' },
          answer: { application: { ...APPLICATION, clientSecret: TOKEN, webhookSecret: `whsec_${TOKEN}` } },
        },
      },
      async ({ db, user, request }) => {
        const details = assertChecked(checkNewApplication(request.body, policy));
        const { application, clientSecret, webhookSecret } = await createApplication(db, user.id, details, now());
        return { application: { ...applicationView(application, now()), clientSecret, webhookSecret } };
      },
    ),
    route(
      {
        ...shared,
        id: 'listApplications',
        method: 'get',
        path: ALL,
        summary: 'The user’s applications',
        answers: { 200: api.applicationsResponse },
        example: { answer: { applications: [APPLICATION] } },
      },
      async ({ db, user }) => ({
        applications: (await listApplications(db, user.id)).map((one) => applicationView(one, now())),
      }),
    ),
    route(
      {
        ...shared,
        id: 'readApplication',
        method: 'get',
        path: ONE,
        summary: 'One application',
        answers: { 200: api.applicationResponse },
        errors: ['unknown-application'],
        example: { answer: { application: APPLICATION } },
      },
      async ({ db, user, params }) => ({
        application: applicationView(await findOwnApplication(db, user.id, String(params.id)), now()),
      }),
    ),
    route(
      {
        ...shared,
        id: 'changeApplication',
        method: 'patch',
        path: ONE,
        summary: 'Changes the given fields',
        body: api.changedApplication,
        answers: { 200: api.applicationResponse },
        errors: ['invalid-request', 'unknown-application'],
        once: true,
        example: { body: { requirePkce: true }, answer: { application: APPLICATION } },
      },
      async ({ db, user, params, request }) => {
        const changes = assertChecked(checkChanges(request.body, policy));
        return {
          application: applicationView(await updateApplication(db, user.id, String(params.id), changes, now()), now()),
        };
      },
    ),
    route(
      {
        ...shared,
        id: 'deleteApplication',
        method: 'delete',
        path: ONE,
        summary: 'Deletes an application and revokes all its access',
        answers: { 204: null },
        errors: ['unknown-application'],
        once: true,
      },
      ({ db, user, params }) => deleteApplication(db, user.id, String(params.id)),
    ),
    route(
      {
        ...shared,
        id: 'replaceClientSecret',
        method: 'post',
        path: `${ONE}/secret`,
        summary: 'Replaces the client secret. The old one becomes invalid immediately',
        answers: { 200: api.clientSecretResponse },
        errors: ['unknown-application'],
        once: true,
        example: { answer: { application: { ...APPLICATION, clientSecret: TOKEN } } },
      },
      async ({ db, user, params }) => {
        const { application, clientSecret } = await rotateClientSecret(db, user.id, String(params.id), now());
        return { application: { ...applicationView(application, now()), clientSecret } };
      },
    ),
    route(
      {
        ...shared,
        id: 'replaceWebhookSecret',
        method: 'post',
        path: `${ONE}/webhook-secret`,
        summary: 'Replaces the webhook secret. Both can sign for a limited time',
        body: api.replacedWebhookSecret,
        bodyOptional: true,
        answers: { 200: api.webhookSecretResponse },
        errors: ['invalid-request', 'unknown-application'],
        once: true,
        example: {
          body: { previousExpiresIn: 86_400 },
          answer: {
            application: { ...APPLICATION, previousWebhookSecretExpiresAt: TIME, webhookSecret: `whsec_${TOKEN}` },
          },
        },
      },
      async ({ db, user, params, request }) => {
        const { previousExpiresIn = 0 } = readBody(api.replacedWebhookSecret, request.body ?? {});
        const id = String(params.id);
        const { application, webhookSecret } = await rotateWebhookSecret(db, user.id, id, previousExpiresIn, now());
        return { application: { ...applicationView(application, now()), webhookSecret } };
      },
    ),
    route(
      {
        ...shared,
        id: 'endPreviousWebhookSecret',
        method: 'delete',
        path: `${ONE}/webhook-secret/previous`,
        summary: 'Ends the replaced webhook secret before it expires',
        answers: { 204: null },
        errors: ['unknown-application'],
        once: true,
      },
      ({ db, user, params }) => endPreviousWebhookSecret(db, user.id, String(params.id), now()),
    ),
  ]);
}
