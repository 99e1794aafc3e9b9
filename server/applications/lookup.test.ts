import { beforeAll, describe, expect, it } from 'vitest';
import { authorize, authorizeQuery, newApplication, newUser, token } from '../oauth/testing.ts';
import type { TestApplication } from '../testing.ts';
import { findByClientIdentifier, findByOauthIdentifier } from './store.ts';
import { useService } from '../testing-service.ts';

/** Impossible names: PostgreSQL can't store NUL, and overlong names aren't looked up. */
const NO_NAMES = ['a\0b', '\0', '', 'a b', 'ä', 'x'.repeat(101)];

describe('finding applications by identifier', () => {
  const { app, database } = useService();
  let application: TestApplication;

  beforeAll(async () => {
    application = await newApplication(app, await newUser(app, 'alice'));
  });

  it('an impossible identifier finds nothing, and doesn’t disturb concurrent lookups', async () => {
    const { db } = database;
    const found = await Promise.all([
      ...NO_NAMES.map((name) => findByOauthIdentifier(db, name)),
      ...NO_NAMES.map((name) => findByClientIdentifier(db, name)),
      findByOauthIdentifier(db, application.oauthIdentifier),
      findByClientIdentifier(db, application.clientIdentifier),
    ]);
    expect(found.map((one) => one?.id ?? null)).toEqual([
      ...NO_NAMES.flatMap(() => [null, null]),
      application.id,
      application.id,
    ]);
  });

  it.each(NO_NAMES)('treats %j like any other unknown client', async (name) => {
    expect((await authorize(app, authorizeQuery(application, { client_id: name }))).status).toBe(400);
    const asked = { grant_type: 'refresh_token', refresh_token: 'refresh_x', client_id: name };
    const answer = await token(app, asked);
    expect([answer.status, answer.body.error]).toEqual(
      name === '' ? [400, 'invalid_request'] : [401, 'invalid_client'],
    );
    const byHeader = await token(
      app,
      { grant_type: 'client_credentials', scope: 'application_access:write' },
      {
        Authorization: `Basic ${Buffer.from(`${encodeURIComponent(name)}:secret`).toString('base64')}`,
      },
    );
    expect([byHeader.status, byHeader.body.error]).toEqual([401, 'invalid_client']);
  });
});
