/** The authorization server: all endpoints under /oauth/v1, and its metadata. */
import { serverMetadata } from '../../protocol/http/oauth.ts';
import { serve, type RouteFamily } from '../routing/route.ts';
import { authorizeRoutes, type OAuthContext } from './authorize-routes.ts';
import { oauthErrors, postOnly, uncached } from './error.ts';
import { metadata } from './metadata.ts';
import { revokeRoutes } from './revoke-routes.ts';
import { tokenRoutes } from './token-routes.ts';

export function oauthRoutes(context: OAuthContext): RouteFamily {
  const described = metadata(context.addresses.baseUrl);
  const calls = [...tokenRoutes(context), ...revokeRoutes(context)];
  const family = serve([
    ...authorizeRoutes(context),
    ...calls,
    {
      id: 'readServerMetadata',
      method: 'get',
      path: '/.well-known/oauth-authorization-server',
      tag: 'OAuth',
      summary: 'Returns the authorization server’s metadata (RFC 8414)',
      by: 'anybody',
      answers: { 200: serverMetadata },
      example: { answer: metadata('https://pay.example') },
      handlers: [(_request, response) => void response.set('Cache-Control', 'public, max-age=300').json(described)],
    },
  ]);
  family.router.all(
    calls.map(({ path }) => path),
    uncached,
    postOnly,
  );
  family.router.use(oauthErrors);
  return { ...family, onError: oauthErrors };
}
