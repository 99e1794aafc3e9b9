/** The token endpoint's three grants (specification, section 4.2; RFC 6749, sections 4.1.3, 4.4 and 6). */
import { sql } from 'drizzle-orm';
import type { Application } from '../applications/store.ts';
import type { Database } from '../database/connect.ts';
import { accessTokens, applications } from '../database/schema.ts';
import { TOKEN_SECONDS, newToken } from '../identity/tokens.ts';
import { redeemCode } from './authorizations.ts';
import { mayActForUsers, type Client } from './client.ts';
import { OAuthError, invalidClient } from './error.ts';
import { required, type Parameters } from './parameters.ts';
import { useRefreshToken } from './refresh.ts';
import { APPLICATION_SCOPES, USER_SCOPES, readScopes } from '../identity/scopes.ts';

/** The token endpoint's response (specification, section 2.4). */
export interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  /** Only for the authorization_code grant. */
  refresh_token?: string;
  scope: string;
}

function answer(accessToken: string, scopes: readonly string[]): TokenResponse {
  return { access_token: accessToken, token_type: 'Bearer', expires_in: TOKEN_SECONDS, scope: scopes.join(' ') };
}

/** A grant type: its required parameters, and its handler. */
export interface GrantType {
  needs: readonly string[];
  grant(db: Database, client: Client | null, parameters: Parameters, now: Date): Promise<TokenResponse>;
}

export const unknownRefreshToken = () => invalidGrant('refresh token');
const invalidGrant = (what: string) =>
  new OAuthError('invalid_grant', `The ${what} is unknown, expired, revoked, or was issued for other parameters.`);

function named(client: Client | null): Client {
  if (!client) throw new OAuthError('invalid_request', 'client_id is missing.');
  return client;
}

const authorizationCode: GrantType = {
  needs: ['code', 'redirect_uri'],
  async grant(db, client, parameters, now) {
    const application = mayActForUsers(named(client));
    const redeemed = await redeemCode(
      db,
      application,
      {
        code: required(parameters, 'code'),
        redirectUri: required(parameters, 'redirect_uri'),
        codeVerifier: parameters.get('code_verifier'),
      },
      now,
    );
    if (!redeemed) throw invalidGrant('code');
    const { access_token, token_type, expires_in, scope } = answer(redeemed.accessToken, redeemed.scopes);
    return { access_token, token_type, expires_in, refresh_token: redeemed.refreshToken, scope };
  },
};

const refreshToken: GrantType = {
  needs: ['refresh_token'],
  grant: (db, client, parameters, now) => refresh(db, mayActForUsers(named(client)), parameters, now),
};

/** Issues an access token. The refresh token remains valid. @param application the refresh token's owner */
async function refresh(
  db: Database,
  application: Application,
  parameters: Parameters,
  now: Date,
): Promise<TokenResponse> {
  const asked = parameters.get('scope');
  const scopes = asked === undefined ? null : readScopes(asked, USER_SCOPES);
  const tooWide = () => new OAuthError('invalid_scope', 'scope exceeds the scope granted.');
  if (asked !== undefined && scopes === null) throw tooWide();
  const refreshed = await useRefreshToken(db, application, required(parameters, 'refresh_token'), scopes, now);
  if (refreshed === null) throw unknownRefreshToken();
  if (refreshed === 'too-wide') throw tooWide();
  return answer(refreshed.accessToken, refreshed.scopes);
}

const clientCredentials: GrantType = {
  needs: [],
  async grant(db, client, parameters, now) {
    if (!client?.proven) throw invalidClient();
    const scopes = readScopes(parameters.get('scope') ?? '', APPLICATION_SCOPES);
    if (scopes === null)
      throw new OAuthError('invalid_scope', 'scope is missing, or contains a scope that needs the consent of a user.');
    return answer(await issueOwnToken(db, client.application, scopes, now), scopes);
  },
};

/**
 * Issues a token for an application itself. The application is locked so that a concurrent replacement of its secret
 * waits and then also revokes this token.
 * @param application as read when its secret was checked
 * @throws OAuthError `invalid_client` if the secret has been replaced since
 */
async function issueOwnToken(
  db: Database,
  { id, clientSecretHash }: Application,
  scopes: readonly string[],
  now: Date,
): Promise<string> {
  const { token, row } = newToken('application', now);
  const [createdAt, expiresAt] = [row.createdAt.toISOString(), row.expiresAt.toISOString()];
  // A key share lock wouldn't wait, because replacing the secret changes no key.
  const { rows } = (await db.execute(sql`
    insert into ${accessTokens} (token_hash, kind, application_id, scopes, created_at, expires_at)
    select ${row.tokenHash}, ${row.kind}, a.id, ${sql.param([...scopes])}::text[], ${createdAt}::timestamptz, ${expiresAt}::timestamptz
    from ${applications} a where a.id = ${id} and a.client_secret_hash = ${clientSecretHash} for share
    returning token_hash`)) as unknown as { rows: unknown[] };
  if (rows.length === 0) throw invalidClient();
  return token;
}

export const GRANT_TYPES: Readonly<Record<string, GrantType>> = {
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  client_credentials: clientCredentials,
};
