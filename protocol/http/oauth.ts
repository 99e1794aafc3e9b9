/** Bodies of the OAuth endpoints for applications. Form values are strings (RFC 6749, appendix B). */
import * as z from 'zod/mini';

const text = z.string();

/** GET /oauth/v1/authorize (RFC 6749, section 4.1.1; RFC 7636). */
export const authorizationRequest = z.object({
  response_type: z.literal('code'),
  client_id: text,
  redirect_uri: text,
  /** Scope names, separated by single spaces. */
  scope: text,
  state: text,
  /** The page that users who aren't signed in see first. */
  landing: z.optional(z.enum(['login', 'register'])),
  code_challenge: z.optional(text),
  code_challenge_method: z.optional(z.literal('S256')),
});
/** POST /oauth/v1/authorize: the same fields, plus the decision from the consent page. */
export const authorizationDecision = z.object({
  ...authorizationRequest.shape,
  decision: z.enum(['allow', 'deny']),
  'form-token': text,
});
/** GET /.well-known/oauth-authorization-server (RFC 8414, section 2). */
export const serverMetadata = z.object({
  issuer: text,
  authorization_endpoint: text,
  token_endpoint: text,
  revocation_endpoint: text,
  introspection_endpoint: text,
  scopes_supported: z.array(text),
  response_types_supported: z.array(text),
  response_modes_supported: z.array(text),
  grant_types_supported: z.array(text),
  token_endpoint_auth_methods_supported: z.array(text),
  revocation_endpoint_auth_methods_supported: z.array(text),
  introspection_endpoint_auth_methods_supported: z.array(text),
  code_challenge_methods_supported: z.array(text),
  authorization_response_iss_parameter_supported: z.boolean(),
});

/** POST /oauth/v1/token. The required fields depend on the grant type. */
export const tokenRequest = z.object({
  grant_type: z.enum(['authorization_code', 'refresh_token', 'client_credentials']),
  client_id: z.optional(text),
  client_secret: z.optional(text),
  code: z.optional(text),
  redirect_uri: z.optional(text),
  code_verifier: z.optional(text),
  refresh_token: z.optional(text),
  scope: z.optional(text),
});
/** The response (RFC 6749, section 5.1). */
export const tokenResponse = z.object({
  access_token: text,
  token_type: z.literal('Bearer'),
  expires_in: z.number(),
  refresh_token: z.optional(text),
  scope: text,
});
/** POST /oauth/v1/auth-proxy/token */
export const proxyTokenRequest = z.object({ grant_type: z.literal('refresh_token'), refresh_token: text });
/** POST /oauth/v1/revoke (RFC 7009) and POST /oauth/v1/introspect (RFC 7662) */
export const tokenForm = z.object({
  token: text,
  token_type_hint: z.optional(text),
  client_id: z.optional(text),
  client_secret: z.optional(text),
});
/** POST /oauth/v1/revoke with a bearer token: the JSON body that older client libraries send. */
export const revokeBearerRequest = z.object({ refresh_token: text });
/** The empty response to POST /oauth/v1/revoke. */
export const revokeResponse = z.object({});
/** The response to POST /oauth/v1/introspect. Contains only `active` if the token is invalid. */
export const introspectResponse = z.object({
  active: z.boolean(),
  scope: z.optional(text),
  client_id: z.optional(text),
  username: z.optional(text),
  token_type: z.optional(text),
  exp: z.optional(z.number()),
  iat: z.optional(z.number()),
  sub: z.optional(text),
  aud: z.optional(text),
  iss: z.optional(text),
});
/** The error body of all these endpoints (RFC 6749, section 5.2). */
export const oauthError = z.object({ error: text, error_description: z.optional(text) });
