import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectionsResponse } from '../../../protocol/http/api-v2.ts';
import { consents } from '../../database/schema.ts';
import { newApplication, newTokens, newUser, type TestUser } from '../../oauth/testing.ts';
import type { TestApplication } from '../../testing.ts';
import { useService } from '../../testing-service.ts';

const PATH = '/api/v2/me/connections';

describe('connected applications, for the wallet', () => {
  const { app, database } = useService();
  let alice: TestUser;
  let bob: TestUser;
  let first: TestApplication;
  let second: TestApplication;

  beforeAll(async () => {
    [alice, bob] = [await newUser(app, 'alice'), await newUser(app, 'bob')];
    [first, second] = [await newApplication(app, bob), await newApplication(app, bob)];
  });
  beforeEach(() => database.db.delete(consents));

  const allow = (user: TestUser, { id }: TestApplication, scope: string, seconds = 0) =>
    database.db.insert(consents).values({
      userId: Number(user.id),
      applicationId: id,
      scope,
      grantedAt: new Date(app.clock.ms + seconds * 1000),
    });
  const by = ({ accessToken }: TestUser) => ({ Authorization: `Bearer ${accessToken}` });
  const listed = async (user: TestUser) => connectionsResponse.parse((await app.get(PATH, by(user))).body).connections;
  const remove = async (id: string, user = alice) =>
    (await app.send('DELETE', `${PATH}/${id}`, undefined, by(user))).status;
  const tokenOf = async (application: TestApplication) => ({
    Authorization: `Bearer ${(await newTokens(app, application, alice)).access_token}`,
  });

  it('the list contains only the user’s own connections, with their permissions, newest first', async () => {
    await allow(alice, first, 'auth.user_identity:read');
    await allow(alice, first, 'users.profiles:read', 60);
    await allow(alice, second, 'auth.user_identity:read', 30);
    await allow(bob, second, 'payments:read');
    expect(await listed(alice)).toMatchObject([
      { id: second.id, scopes: ['auth.user_identity:read'] },
      {
        id: first.id,
        since: new Date(app.clock.ms).toISOString(),
        scopes: ['auth.user_identity:read', 'users.profiles:read'],
      },
    ]);
  });

  it('removing a connection ends that application’s access, only for this user', async () => {
    await allow(bob, first, 'auth.user_identity:read');
    const token = await tokenOf(first);
    expect((await app.get('/api/v2/me', token)).status).toBe(200);
    expect(await remove(first.id)).toBe(204);
    expect((await app.get('/api/v2/me', token)).status).toBe(401);
    expect(await listed(alice)).toEqual([]);
    expect(await listed(bob)).toHaveLength(1);
    expect([await remove(first.id), await remove('nonsense')]).toEqual([204, 404]);
  });

  it('an application can neither list nor remove them', async () => {
    const token = await tokenOf(first);
    expect((await app.get(PATH, token)).status).toBe(403);
    expect((await app.send('DELETE', `${PATH}/${first.id}`, undefined, token)).status).toBe(403);
    expect((await app.get(PATH)).status).toBe(401);
    expect(await listed(alice)).toHaveLength(1);
  });
});
