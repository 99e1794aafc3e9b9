import { describe, expect, test } from 'vitest';
import { MOST_AUTHORIZATIONS } from './authorizations.ts';
import { newApplication, newCode, newTokens, newUser, token } from './testing.ts';
import { useService } from '../testing-service.ts';

describe('authorizations', () => {
  const { app } = useService();

  test('of one user and application are limited in number: the oldest ends, those of others stay', async () => {
    const [user, other] = [await newUser(app, 'many.devices'), await newUser(app, 'one.device')];
    const application = await newApplication(app, user);
    const refresh = async (refreshToken: string) =>
      (
        await token(app, {
          grant_type: 'refresh_token',
          client_id: application.oauthIdentifier,
          refresh_token: refreshToken,
        })
      ).status;
    const first = await newTokens(app, application, user);
    const theirs = await newTokens(app, application, other);
    app.clock.ms += 1000;
    for (let i = 1; i < MOST_AUTHORIZATIONS; i += 1) await newCode(app, application, user);
    expect(await refresh(first.refresh_token)).toBe(200);
    app.clock.ms += 1000;
    await newCode(app, application, user);
    expect(await refresh(first.refresh_token)).toBe(400);
    expect(await refresh(theirs.refresh_token)).toBe(200);
  });
});
