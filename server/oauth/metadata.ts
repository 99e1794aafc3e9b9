/** This authorization server's metadata (RFC 8414, section 2). */
import { APPLICATION_SCOPES, USER_SCOPES } from '../identity/scopes.ts';

/** Returns the metadata. @param issuer the service's origin, always from the settings */
export function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/v1/authorize`,
    token_endpoint: `${issuer}/oauth/v1/token`,
    revocation_endpoint: `${issuer}/oauth/v1/revoke`,
    introspection_endpoint: `${issuer}/oauth/v1/introspect`,
    scopes_supported: [...Object.keys(USER_SCOPES), ...Object.keys(APPLICATION_SCOPES)],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}
