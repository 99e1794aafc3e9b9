/** The authorization server: every endpoint below /oauth/v1, and its metadata. */
import { Router } from 'express';
import { authorizeRoutes, type OAuthContext } from './authorize-routes.ts';
import { oauthErrors } from './error.ts';
import { metadata } from './metadata.ts';
import { revokeRoutes } from './revoke-routes.ts';
import { tokenRoutes } from './token-routes.ts';

/** See the parts. GET /.well-known/oauth-authorization-server: 200. */
export function oauthRoutes(context: OAuthContext): Router {
  const router = Router();
  const described = metadata(context.addresses.baseUrl);
  router.use(authorizeRoutes(context), tokenRoutes(context), revokeRoutes(context));
  router.get('/.well-known/oauth-authorization-server', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=300').json(described);
  });
  router.use(oauthErrors);
  return router;
}
