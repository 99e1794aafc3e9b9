import { connectionsResponse } from '../../../protocol/http/api-v2.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { listConsents, revokeConsent } from '../../identity/consents.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { routeMaker, type ApiContext } from '../route.ts';
import { ID, TIME } from '../openapi/samples.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const shared = { tag: 'Wallets', by: 'wallet' } as const;

export function connectionRoutes(context: ApiContext): RouteFamily {
  const { db } = context;
  const route = routeMaker(context);

  return serve([
    route(
      {
        ...shared,
        id: 'listConnections',
        method: 'get',
        path: '/api/v2/me/connections',
        summary: 'Lists the applications with access to the account, newest first, with their scopes',
        answers: { 200: connectionsResponse },
        example: {
          answer: {
            connections: [
              {
                id: ID,
                name: 'Roses by Bob',
                url: 'https://roses.example',
                since: TIME,
                scopes: ['auth.user_identity:read', 'users.profiles:read'],
              },
            ],
          },
        },
      },
      async ({ user }) => ({
        connections: (await listConsents(db, user.id)).map(({ application: { id, name, url }, since, scopes }) => ({
          id,
          name,
          url,
          since: since.toISOString(),
          scopes: scopes.map(({ scope }) => scope),
        })),
      }),
    ),
    route(
      {
        ...shared,
        id: 'removeConnection',
        method: 'delete',
        path: '/api/v2/me/connections/{id}',
        summary:
          'Revokes an application’s access to the account immediately. Repeating it, or an ID without access, is not an error',
        answers: { 204: null },
        errors: ['unknown-application'],
      },
      async ({ user, params }) => {
        const id = String(params.id);
        if (!UUID.test(id)) throw new ServiceError('unknown-application');
        await revokeConsent(db, user.id, id);
      },
    ),
  ]);
}
