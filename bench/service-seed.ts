/** Creates accounts, grants and tokens for the service's load test, using the service's own functions. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { createApplication } from '../server/applications/store.ts';
import type { Database } from '../server/database/connect.ts';
import { authorizations, consents, refreshTokens } from '../server/database/schema.ts';
import { createUser } from '../server/identity/accounts.ts';
import { hashSecret, randomSecret } from '../server/secrets.ts';
import { issueToken } from '../server/identity/tokens.ts';

export interface Seed {
  /** Client identifier in the Basic credential. */
  clientIdentifier: string;
  clientSecret: string;
  /** The `client_id` in the code flow. */
  oauthIdentifier: string;
  accessTokens: string[];
  refreshTokens: string[];
}

const USERS = 500;
/** Number of rows that only fill the tables to a realistic size. */
const OTHERS = 50_000;
const SCOPE = 'auth.user_identity:read';

export async function seed(db: Database): Promise<Seed> {
  const now = new Date();
  const later = new Date(now.getTime() + 24 * 3600_000);
  const users = [];
  for (let i = 0; i < USERS; i += 1) {
    users.push(
      await createUser(
        db,
        `02${String(i).padStart(64, '0')}`,
        { handle: `user${i}`, name: 'A Name', receivingXpub: 'xpub' },
        now,
      ),
    );
  }
  const { application, clientSecret } = await createApplication(
    db,
    users[0]?.id ?? 0,
    {
      name: 'Load',
      url: 'https://app.example',
      description: '',
      redirectUri: 'https://app.example/callback',
      webhookUrl: null,
      requirePkce: false,
      requireSecret: false,
    },
    now,
  );
  const made: Seed = {
    clientIdentifier: application.clientIdentifier,
    clientSecret,
    oauthIdentifier: application.oauthIdentifier,
    accessTokens: [],
    refreshTokens: [],
  };
  for (const { id: userId } of users) {
    const authorizationId = randomUUID();
    const refreshToken = randomSecret('refresh_');
    await db.insert(consents).values({ userId, applicationId: application.id, scope: SCOPE, grantedAt: now });
    await db.insert(authorizations).values({
      id: authorizationId,
      userId,
      applicationId: application.id,
      scopes: [SCOPE],
      createdAt: now,
      expiresAt: later,
    });
    await db
      .insert(refreshTokens)
      .values({ tokenHash: hashSecret(refreshToken), authorizationId, createdAt: now, expiresAt: later });
    made.refreshTokens.push(refreshToken);
    made.accessTokens.push(
      await issueToken(db, 'user', { userId, applicationId: application.id, authorizationId, scopes: [SCOPE] }, now),
    );
  }
  // The tokens outlive an hour-long load test.
  await db.execute(sql`update access_tokens set expires_at = ${later.toISOString()}::timestamptz`);
  await db.execute(sql`
    insert into users (handle, name, public_key, receiving_xpub, created_at)
    select 'other' || n, 'A Name', 'key' || n, 'xpub', now() from generate_series(1, ${OTHERS}::int) n`);
  await db.execute(sql`
    insert into access_tokens (token_hash, kind, user_id, created_at, expires_at)
    select encode(sha256(convert_to('other' || n, 'UTF8')), 'hex'), 'wallet', ${users[0]?.id}::bigint, now(), ${later.toISOString()}::timestamptz from generate_series(1, ${OTHERS}::int) n`);
  await db.execute(sql`analyze`);
  return made;
}
