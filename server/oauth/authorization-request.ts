/** The parameters of an authorization request (RFC 6749, section 4.1.1). Pure. */
import type { Application } from '../applications/store.ts';
import { OAuthError } from './error.ts';
import type { Parameters } from './parameters.ts';
import { readChallenge } from './pkce.ts';
import { USER_SCOPES, readScopes, type UserScope } from '../identity/scopes.ts';

/**
 * Maximum length of `state` in UTF-8 bytes. Sign-in percent-encodes `state` twice, which can turn a byte into five, and
 * deploy/nginx.conf limits URLs to 32 kB.
 */
export const MAX_STATE_BYTES = 4_096;

export interface AuthorizationRequest {
  redirectUri: string;
  scopes: readonly UserScope[];
  state: string;
  landing: 'login' | 'register';
  codeChallenge: string | null;
}

/** All known parameters. Unknown parameters are ignored (section 3.1). */
export const REQUEST_PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'landing',
  'code_challenge',
  'code_challenge_method',
] as const;

export const isStateTooLong = (state: string): boolean => Buffer.byteLength(state) > MAX_STATE_BYTES;

/**
 * Returns the redirect URL if it exactly matches the registered one (RFC 9700, section 2.1). Otherwise returns null, in
 * which case the error is shown to the user without a redirect (RFC 6749, section 4.1.2.1).
 */
export function readRedirectUri(parameters: Parameters, application: Application): string | null {
  const asked = parameters.get('redirect_uri');
  return asked !== undefined && asked === application.redirectUri ? asked : null;
}

/** Reads all parameters except the redirect URL. @throws OAuthError to send to the application (section 4.1.2.1) */
export function readAuthorizationRequest(
  parameters: Parameters,
  application: Application,
  redirectUri: string,
): AuthorizationRequest {
  const refuse = (message: string) => new OAuthError('invalid_request', message);
  if (parameters.repeated.length > 0) throw refuse('A parameter was sent more than once.');
  const state = parameters.get('state');
  if (state === undefined) throw refuse('state is missing.');
  if (isStateTooLong(state)) throw refuse(`state must have at most ${MAX_STATE_BYTES} bytes.`);
  const responseType = parameters.get('response_type');
  if (responseType === undefined) throw refuse('response_type is missing.');
  if (responseType !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code.');
  const landing = parameters.get('landing') ?? 'login';
  if (landing !== 'login' && landing !== 'register') throw refuse('landing must be login or register.');
  const read = readChallenge(parameters);
  if ('refusal' in read) throw refuse(read.refusal);
  if (read.challenge === null && application.requirePkce)
    throw refuse('code_challenge is missing. This application requires PKCE.');
  const scopes = readScopes(parameters.get('scope') ?? '', USER_SCOPES);
  if (scopes === null)
    throw new OAuthError('invalid_scope', 'scope is missing or contains a scope that users cannot grant.');
  return { redirectUri, scopes, state, landing, codeChallenge: read.challenge };
}
