import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import * as oauth from './oauth.ts';
import { readAnswer } from './testing-members.ts';

const request = {
  response_type: 'code',
  client_id: 'c',
  redirect_uri: 'https://shop.example/back',
  scope: 'payments:read',
  state: 's',
  landing: 'login',
  code_challenge: 'x',
  code_challenge_method: 'S256',
};
const CLIENT = { client_id: 'c', client_secret: 's' };

test.each<[string, z.ZodMiniType, object, string[]]>([
  [
    'request for authorization',
    oauth.authorizationRequest,
    request,
    ['landing', 'code_challenge', 'code_challenge_method'],
  ],
  [
    'decision about it',
    oauth.authorizationDecision,
    { ...request, decision: 'allow', 'form-token': 't' },
    ['landing', 'code_challenge', 'code_challenge_method'],
  ],
  [
    'request for tokens',
    oauth.tokenRequest,
    {
      grant_type: 'authorization_code',
      ...CLIENT,
      code: 'c',
      redirect_uri: 'u',
      code_verifier: 'v',
      refresh_token: 'r',
      scope: 's',
    },
    ['client_id', 'client_secret', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope'],
  ],
  [
    'answer with tokens',
    oauth.tokenResponse,
    { access_token: 'a', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r', scope: 's' },
    ['refresh_token'],
  ],
  ['refresh by the proxy', oauth.proxyTokenRequest, { grant_type: 'refresh_token', refresh_token: 'r' }, []],
  [
    'form about a token',
    oauth.tokenForm,
    { token: 't', token_type_hint: 'refresh_token', ...CLIENT },
    ['token_type_hint', 'client_id', 'client_secret'],
  ],
  ['revocation in JSON', oauth.revokeBearerRequest, { refresh_token: 'r' }, []],
  ['answer to a revocation', oauth.revokeResponse, {}, []],
  [
    'answer about a token',
    oauth.introspectResponse,
    {
      active: true,
      scope: 's',
      client_id: 'c',
      username: 'alice',
      token_type: 'Bearer',
      exp: 2,
      iat: 1,
      sub: '1',
      aud: 'c',
      iss: 'i',
    },
    ['scope', 'client_id', 'username', 'token_type', 'exp', 'iat', 'sub', 'aud', 'iss'],
  ],
  ['error', oauth.oauthError, { error: 'invalid_grant', error_description: 'd' }, ['error_description']],
  [
    'description of the server',
    oauth.serverMetadata,
    {
      issuer: 'i',
      authorization_endpoint: 'a',
      token_endpoint: 't',
      revocation_endpoint: 'r',
      introspection_endpoint: 'n',
      scopes_supported: ['s'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      introspection_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    },
    [],
  ],
])('a complete %s is accepted, and only its optional members may be missing', (_, schema, whole, optional) => {
  expect(readAnswer(schema, whole)).toEqual({ read: whole, optional });
});

describe('authorization', () => {
  const takes = (change: object) =>
    oauth.authorizationDecision.safeParse({ ...request, decision: 'deny', 'form-token': 't', ...change }).success;

  test.each([{}, { landing: 'register' }, { decision: 'allow' }])(
    'an authorization request with %j is valid',
    (change) => {
      expect(takes(change)).toBe(true);
    },
  );

  test.each([
    { response_type: 'token' },
    { response_type: '' },
    { landing: '' },
    { landing: 'https://evil.example' },
    { code_challenge_method: 'plain' },
    { code_challenge_method: '' },
    { decision: '' },
    { decision: 'maybe' },
    { scope: ['payments:read'] },
  ])('an authorization request with %j is rejected', (change) => {
    expect(takes(change)).toBe(false);
  });
});

test.each(['authorization_code', 'refresh_token', 'client_credentials'])(
  'the grant type %s is accepted',
  (grant_type) => {
    expect(oauth.tokenRequest.safeParse({ grant_type }).success).toBe(true);
  },
);

test.each(['', 'password', 'implicit'])('the grant type %j is rejected', (grant_type) => {
  expect(oauth.tokenRequest.safeParse({ grant_type }).success).toBe(false);
  expect(oauth.proxyTokenRequest.safeParse({ grant_type, refresh_token: 'r' }).success).toBe(false);
});

test('a token is a bearer token', () => {
  const given = (token_type: string) =>
    oauth.tokenResponse.safeParse({ access_token: 'a', token_type, expires_in: 1, scope: '' }).success;
  expect([given('Bearer'), given('mac'), given('')]).toEqual([true, false, false]);
});
