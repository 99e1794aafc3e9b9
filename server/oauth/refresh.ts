/** Database access for the refresh_token grant (RFC 6749, section 6). */
import { eq, sql } from 'drizzle-orm';
import type { Application } from '../applications/store.ts';
import { inBatches, perDatabase } from '../database/batch.ts';
import type { Database } from '../database/connect.ts';
import { accessTokens, applications, authorizations, refreshTokens } from '../database/schema.ts';
import { hashSecret } from '../secrets.ts';
import { newToken } from '../identity/tokens.ts';
import { IDLE_MS, after } from './authorizations.ts';

/** Minimum interval between extensions of an authorization, so frequent use doesn't cause frequent writes (ms). */
const LAX_MS = 3600_000;

/** The issued token, `too-wide` for scopes that weren't granted, or null for an invalid refresh token. */
export type Refreshed = { accessToken: string; scopes: readonly string[] } | 'too-wide' | null;

/**
 * Issues an access token for one of this application's refresh tokens, in one statement. The authorization is locked
 * so that a concurrent revocation waits and then also revokes this token.
 * @param asked the requested scopes; null for all granted
 */
export async function useRefreshToken(
  db: Database,
  application: Application,
  token: string,
  asked: readonly string[] | null,
  now: Date,
): Promise<Refreshed> {
  const { token: accessToken, row } = newToken('user', now);
  const answer = await refreshOf(db)({
    refreshHash: hashSecret(token),
    applicationId: application.id,
    scopes: asked?.join(' ') ?? null,
    tokenHash: row.tokenHash,
    now,
    expiresAt: row.expiresAt,
  });
  if ('error' in answer) throw answer.error;
  const { held } = answer;
  if (!held) return null;
  if (!held.issued) return 'too-wide';
  if (held.goodUntil < after(now, IDLE_MS - LAX_MS)) await prolong(db, held.id, now);
  return { accessToken, scopes: asked ?? held.scopes.split(' ') };
}

interface RefreshQuestion {
  refreshHash: string;
  applicationId: string;
  /** Space-separated; null for all granted scopes. */
  scopes: string | null;
  tokenHash: string;
  now: Date;
  expiresAt: Date;
}

/** The result for {@link useRefreshToken}: whether a token was issued, and the refresh token's expiry. */
interface HeldAuthorization {
  id: string;
  scopes: string;
  issued: boolean;
  goodUntil: Date;
}

type RefreshAnswer = { held: HeldAuthorization | null } | { error: unknown };

/** Concurrent refreshes share one statement and one commit. */
const refreshOf = perDatabase((db) =>
  inBatches(async (questions: readonly RefreshQuestion[]): Promise<readonly RefreshAnswer[]> => {
    try {
      return await refreshAll(db, questions);
    } catch (error) {
      if (questions.length === 1) return [{ error }];
      // One refresh's error, such as a deadlock, must not affect the other refreshes.
      return Promise.all(
        questions.map((question) =>
          refreshAll(db, [question]).then(
            ([answer]) => answer as RefreshAnswer,
            (one: unknown) => ({ error: one }),
          ),
        ),
      );
    }
  }),
);

async function refreshAll(db: Database, questions: readonly RefreshQuestion[]): Promise<RefreshAnswer[]> {
  const all = (of: (question: RefreshQuestion) => string | null, type: 'text' | 'uuid' | 'timestamptz') =>
    sql`${sql.param(questions.map(of))}::${sql.raw(type)}[]`;
  const { rows } = (await db.execute(sql`
    with asked as (
      select * from unnest(${all(({ refreshHash }) => refreshHash, 'text')}, ${all(({ applicationId }) => applicationId, 'uuid')}, ${all(({ scopes }) => scopes, 'text')},
        ${all(({ tokenHash }) => tokenHash, 'text')}, ${all(({ now }) => now.toISOString(), 'timestamptz')}, ${all(({ expiresAt }) => expiresAt.toISOString(), 'timestamptz')})
      as t (refresh_hash, application_id, scopes, token_hash, now, expires_at)
    ), held as (
      select r.token_hash as refresh_hash, r.expires_at, a.id, a.user_id, a.application_id, a.scopes
      from ${refreshTokens} r join ${authorizations} a on a.id = r.authorization_id join ${applications} p on p.id = a.application_id
      where r.token_hash in (select refresh_hash from asked)
      order by p.id, a.id for key share of p, a
    ), fitting as (
      select asked.*, held.id, held.user_id, held.scopes as granted, held.expires_at as good_until
      from asked join held on held.refresh_hash = asked.refresh_hash and held.application_id = asked.application_id and held.expires_at > asked.now
    ), issued as (
      insert into ${accessTokens} (token_hash, kind, user_id, application_id, authorization_id, scopes, created_at, expires_at)
      select token_hash, 'user', user_id, application_id, id, coalesce(string_to_array(scopes, ' '), granted), now, expires_at
      from fitting where scopes is null or granted @> string_to_array(scopes, ' ')
      returning token_hash
    )
    select fitting.token_hash, fitting.id, array_to_string(fitting.granted, ' ') as scopes, extract(epoch from fitting.good_until)::float8 as good_until, issued.token_hash is not null as issued
    from fitting left join issued on issued.token_hash = fitting.token_hash`)) as unknown as {
    rows: { token_hash: string; id: string; scopes: string; good_until: number; issued: boolean }[];
  };
  const byToken = new Map(
    rows.map(({ token_hash, good_until, ...held }) => [
      token_hash,
      { ...held, goodUntil: new Date(good_until * 1000) },
    ]),
  );
  return questions.map(({ tokenHash }) => ({ held: byToken.get(tokenHash) ?? null }));
}

/** Extends an authorization and its refresh token to thirty days from now. */
async function prolong(db: Database, authorizationId: string, now: Date): Promise<void> {
  const expiresAt = after(now, IDLE_MS);
  await db.transaction(async (tx) => {
    await tx.update(authorizations).set({ expiresAt }).where(eq(authorizations.id, authorizationId));
    await tx.update(refreshTokens).set({ expiresAt }).where(eq(refreshTokens.authorizationId, authorizationId));
  });
}
