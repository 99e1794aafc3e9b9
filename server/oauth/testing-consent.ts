/** For consent tests: a separate application and user per test, and their requests. */
import { beforeAll } from 'vitest';
import { useService } from '../testing-service.ts';
import type { TestApplication } from '../testing.ts';
import { authorize, authorizeQuery, newApplication, newUser, type TestUser } from './testing.ts';

export function useConsent() {
  const { app, database } = useService({ baseUrl: 'https://pay.example.com' });
  const people = {} as { owner: TestUser };
  let users = 0;

  beforeAll(async () => {
    people.owner = await newUser(app, 'the-owner');
  });

  const fresh = async (details: Record<string, unknown> = {}): Promise<[TestApplication, TestUser]> => [
    await newApplication(app, people.owner, details),
    await newUser(app, `person-${(users += 1)}-here`),
  ];
  const ask = (application: TestApplication, user: TestUser, scope: string) =>
    authorize(app, authorizeQuery(application, { scope }), user);
  const identityStatus = async (accessToken: string) =>
    (await app.get('/api/v1/auth/user_identity', { Authorization: `Bearer ${accessToken}` })).status;
  return { app, database, people, fresh, ask, identityStatus };
}
