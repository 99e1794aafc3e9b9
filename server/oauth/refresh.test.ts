import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { findByOauthIdentifier, type Application } from '../applications/store.ts';
import { authorizations, refreshTokens } from '../database/schema.ts';
import type { TestApplication } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { useRefreshToken } from './refresh.ts';
import { newApplication, newTokens, newUser, type TestUser } from './testing.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;

describe('refresh tokens in the database', () => {
  const { app, database } = useService();
  let user: TestUser;

  beforeAll(async () => {
    user = await newUser(app, 'somebody');
  });

  const newGrant = async (): Promise<{ application: Application; refreshToken: string }> => {
    const made: TestApplication = await newApplication(app, user);
    const { refresh_token: refreshToken } = await newTokens(app, made, user);
    return {
      application: (await findByOauthIdentifier(database.db, made.oauthIdentifier)) as Application,
      refreshToken,
    };
  };
  const use = ({ application, refreshToken }: Awaited<ReturnType<typeof newGrant>>) =>
    useRefreshToken(database.db, application, refreshToken, null, new Date(app.clock.ms));

  it('one failing refresh doesn’t stop concurrent ones', async () => {
    const [broken, first, second] = [await newGrant(), await newGrant(), await newGrant()];
    await database.db.execute(
      sql.raw(
        `alter table access_tokens add constraint not_this check (application_id <> '${broken.application.id}') not valid`,
      ),
    );
    const alone = await use(broken).catch((error: unknown) => error);
    const together = await Promise.allSettled([first, broken, second].map(use));
    await database.db.execute(sql`alter table access_tokens drop constraint not_this`);
    expect(alone).toMatchObject({ cause: { constraint: 'not_this' } });
    const good = { status: 'fulfilled', value: { accessToken: expect.stringMatching(/^user_/) } };
    expect(together).toMatchObject([good, { status: 'rejected', reason: { cause: { constraint: 'not_this' } } }, good]);
    expect(await use(broken)).toMatchObject(good.value);
  });

  it('each use extends a refresh token to thirty days, with at most one write per hour', async () => {
    const grant = await newGrant();
    const begin = app.clock.ms;
    const [{ id } = { id: '' }] = await database.db
      .select({ id: authorizations.id })
      .from(authorizations)
      .where(eq(authorizations.applicationId, grant.application.id));
    const goodFor = async () => {
      await use(grant);
      const [row] = await database.db
        .select({ token: refreshTokens.expiresAt, authorization: authorizations.expiresAt })
        .from(refreshTokens)
        .innerJoin(authorizations, eq(authorizations.id, refreshTokens.authorizationId))
        .where(eq(authorizations.id, id));
      return [row?.token, row?.authorization].map((time) => (time?.getTime() ?? 0) - begin);
    };
    app.clock.ms = begin + HOUR;
    expect(await goodFor()).toEqual([30 * DAY, 30 * DAY]);
    app.clock.ms = begin + HOUR + 1;
    expect(await goodFor()).toEqual([30 * DAY + HOUR + 1, 30 * DAY + HOUR + 1]);
  });
});
