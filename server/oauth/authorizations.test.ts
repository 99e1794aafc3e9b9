import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { desc, eq, sql } from 'drizzle-orm';
import { authorizationCodes, authorizations } from '../database/schema.ts';
import { hashSecret } from '../secrets.ts';
import { MAX_AUTHORIZATIONS, deleteExpiredAuthorizations } from './authorizations.ts';
import type { TestApplication } from '../testing.ts';
import {
  authorize,
  authorizeQuery,
  newApplication,
  newCode,
  newTokens,
  newUser,
  redemption,
  token,
  type FormResponse,
} from './testing.ts';
import { useService } from '../testing-service.ts';

describe('authorizations', () => {
  const { app, database } = useService();

  const refreshStatus = async (application: TestApplication, refreshToken: string) =>
    (
      await token(app, {
        grant_type: 'refresh_token',
        client_id: application.oauthIdentifier,
        refresh_token: refreshToken,
      })
    ).status;

  /** Stores copies of the user's latest sign-in, which is faster than signing in a hundred times. */
  const repeatLatest = async (userId: number, copies: number): Promise<void> => {
    const [latest] = await database.db
      .select()
      .from(authorizations)
      .innerJoin(authorizationCodes, eq(authorizationCodes.authorizationId, authorizations.id))
      .where(eq(authorizations.userId, userId))
      .orderBy(desc(authorizations.createdAt))
      .limit(1);
    const { authorizations: one, authorization_codes: code } = latest!;
    const ids = Array.from({ length: copies }, () => randomUUID());
    await database.db.insert(authorizations).values(ids.map((id) => ({ ...one, id })));
    await database.db
      .insert(authorizationCodes)
      .values(ids.map((id) => ({ ...code, codeHash: hashSecret(id), authorizationId: id })));
  };

  test('a user has a limited number of sign-ins per application, and a new one ends the oldest', async () => {
    const [user, other] = [await newUser(app, 'many.devices'), await newUser(app, 'one.device')];
    const application = await newApplication(app, user);
    const first = await newTokens(app, application, user);
    const theirs = await newTokens(app, application, other);
    app.clock.ms += 1000;
    await newTokens(app, application, user);
    await repeatLatest(Number(user.id), MAX_AUTHORIZATIONS - 2);
    expect(await refreshStatus(application, first.refresh_token)).toBe(200);
    app.clock.ms += 1000;
    await newTokens(app, application, user);
    expect(await refreshStatus(application, first.refresh_token)).toBe(400);
    expect(await refreshStatus(application, theirs.refresh_token)).toBe(200);
  });

  test('another site’s page can’t end a sign-in by opening the authorization endpoint', async () => {
    const user = await newUser(app, 'visitor.here');
    const application = await newApplication(app, user);
    const { access_token: accessToken, refresh_token: refreshToken } = await newTokens(app, application, user);
    app.clock.ms += 1000;
    const crossSite = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    const query = authorizeQuery(application, { state: 'forged' });
    expect((await authorize(app, query, user, crossSite)).status).toBe(303);
    await repeatLatest(Number(user.id), MAX_AUTHORIZATIONS - 1);
    expect((await authorize(app, query, user, crossSite)).status).toBe(303);
    expect(await refreshStatus(application, refreshToken)).toBe(200);
    expect((await app.get('/api/v1/auth/user_identity', { Authorization: `Bearer ${accessToken}` })).status).toBe(200);
    const kept = () => database.db.$count(authorizations, eq(authorizations.userId, Number(user.id)));
    expect(await kept()).toBe(MAX_AUTHORIZATIONS + 1);
    await deleteExpiredAuthorizations(database.db, new Date(app.clock.ms + 60_000));
    expect(await kept()).toBe(1);
  });

  test('two concurrent redemptions of a code end its authorization, because the second is a replay', async () => {
    const user = await newUser(app, 'two.at.once');
    const application = await newApplication(app, user);
    const code = await newCode(app, application, user);
    let answers: Promise<FormResponse[]> = Promise.resolve([]);
    await database.db.transaction(async (tx) => {
      // Both redemptions read the code before they wait for the lock on its row.
      await tx
        .select()
        .from(authorizationCodes)
        .where(eq(authorizationCodes.codeHash, hashSecret(code)))
        .for('update');
      answers = Promise.all([1, 2].map(() => token(app, redemption(application, code))));
      let done = false;
      void answers.finally(() => (done = true));
      const waiting = sql`datname = current_database() and wait_event_type = 'Lock'`;
      while (!done && (await database.db.$count(sql`pg_stat_activity`, waiting)) < 2);
    });
    const [first, second] = (await answers).toSorted((a, b) => a.status - b.status);
    expect([first?.status, second?.status, second?.body.error]).toEqual([200, 400, 'invalid_grant']);
    expect(
      (await app.get('/api/v1/auth/user_identity', { Authorization: `Bearer ${first?.body.access_token}` })).status,
    ).toBe(401);
    expect(await database.db.$count(authorizations, eq(authorizations.userId, Number(user.id)))).toBe(0);
  });

  test('an authorization is deleted once everything issued from it has expired, and not before', async () => {
    const user = await newUser(app, 'for.a.minute');
    const application = await newApplication(app, user);
    await newCode(app, application, user);
    const left = async (ms: number) => {
      await deleteExpiredAuthorizations(database.db, new Date(app.clock.ms + ms));
      return database.db.$count(authorizations, eq(authorizations.userId, Number(user.id)));
    };
    expect([await left(59_999), await left(60_000)]).toEqual([1, 0]);
  });
});
