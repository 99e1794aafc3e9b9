import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApplication } from '../testing.ts';
import { basic, newApplication, newTokens, newUser, token, type TestUser } from './testing.ts';
import { useService } from '../testing-service.ts';

const IDENTITY = '/api/v1/auth/user_identity';

describe('bearer tokens', () => {
  const { app } = useService({ baseUrl: 'https://pay.example.com' });
  let user: TestUser;
  let application: TestApplication;
  let good: string;

  beforeAll(async () => {
    user = await newUser(app, 'somebody');
    application = await newApplication(app, user);
    good = (await newTokens(app, application, user)).access_token;
  });

  const ask = async (headers: Record<string, string>, path = IDENTITY) => {
    const answer = await app.get(path, headers);
    return [answer.status, answer.headers.get('www-authenticate')];
  };

  it('[I-01][T-08] a token can read the data that its scope allows', async () => {
    const { status, body } = await app.get(IDENTITY, { Authorization: `Bearer ${good}` });
    expect([status, body]).toEqual([
      200,
      {
        data: { id: user.id, type: 'user_identities', attributes: { id: user.id, name: 'A Name' } },
        jsonapi: { version: '1.0' },
      },
    ]);
  });

  it('the challenge contains only the scheme if no credentials were sent', async () => {
    expect(await ask({})).toEqual([401, 'Bearer']);
    expect(await ask(basic(application.clientIdentifier, application.clientSecret))).toEqual([401, 'Bearer']);
  });

  it('rejects a token that is unknown, of a different kind, or revoked', async () => {
    const revoked = await newTokens(app, application, user);
    await app.post(
      '/oauth/v1/revoke',
      { refresh_token: revoked.refresh_token },
      { Authorization: `Bearer ${revoked.access_token}` },
    );
    const session = user.cookie.replace(/^[^=]*=/, '');
    for (const bad of [
      'unknown',
      `${good}x`,
      good.toUpperCase(),
      revoked.access_token,
      revoked.refresh_token,
      session,
    ]) {
      expect(await ask({ Authorization: `Bearer ${bad}` }), bad).toEqual([401, 'Bearer error="invalid_token"']);
    }
  });

  it('[I-02] rejects requests beyond the token’s scopes', async () => {
    const low = (await newTokens(app, application, user, 'payments:read')).access_token;
    const own = (
      await token(
        app,
        { grant_type: 'client_credentials', scope: 'application_access:write' },
        basic(application.clientIdentifier, application.clientSecret),
      )
    ).body.access_token;
    for (const one of [low, own]) {
      expect(await ask({ Authorization: `Bearer ${one}` })).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="auth.user_identity:read"',
      ]);
    }
    expect((await ask({ Authorization: `Bearer ${good}` }, '/api/v1/payments'))[0]).toBe(403);
    expect((await ask({ Authorization: `Bearer ${low}` }, '/api/v1/payments'))[0]).toBe(200);
    expect((await ask({ Authorization: `Bearer ${good}` }, '/api/v2/me/applications'))[0]).toBe(403);
  });

  it('rejects a token that is malformed or sent in two ways', async () => {
    const malformed = [400, 'Bearer error="invalid_request"'];
    for (const header of ['Bearer', 'Bearer ', `Bearer ${good} more`, `Bearer ${good}, Bearer ${good}`, 'Bearer é'])
      expect(await ask({ Authorization: header }), header).toEqual(malformed);
    expect(await ask({ Authorization: `Bearer ${good}` }, `${IDENTITY}?access_token=${good}`)).toEqual(malformed);
  });

  it('rejects a token in a query string', async () => {
    expect(await ask({}, `${IDENTITY}?access_token=${good}`)).toEqual([401, 'Bearer']);
    expect(app.log()).not.toContain(good);
  });

  it('accepts the scheme in upper and lower case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'bEaReR'])
      expect(await ask({ Authorization: `${scheme} ${good}` })).toEqual([200, null]);
  });

  it('rejects a second Authorization header', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = httpRequest(
        `${app.url}${IDENTITY}`,
        { headers: ['Host', 'localhost', 'Authorization', 'Bearer unknown', 'Authorization', `Bearer ${good}`] },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      asked.on('error', reject).end();
    });
    expect(status).toBe(401);
  });

  it('[T-07] rejects a token after an hour', async () => {
    app.clock.ms += 3_600_000;
    expect(await ask({ Authorization: `Bearer ${good}` })).toEqual([401, 'Bearer error="invalid_token"']);
  });
});
