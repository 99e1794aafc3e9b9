import { describe, expect, it } from 'vitest';
import { revokeConsent } from '../identity/consents.ts';
import { USER_SCOPES } from '../identity/scopes.ts';
import { SITE_TEXTS } from '../page/texts.ts';
import { authorize, authorizeQuery, newApplication, newCode, newTokens, redemption, token } from './testing.ts';
import { useConsent } from './testing-consent.ts';

describe('consent', () => {
  const { app, database, people, fresh, ask, identityStatus } = useConsent();

  it.each(Object.entries(SITE_TEXTS))(
    'shows the page in %s if the browser prefers it, with the same form',
    async (code, t) => {
      const [application, user] = await fresh({ name: 'A shop' });
      const query = authorizeQuery(application, { scope: Object.keys(USER_SCOPES).join(' ') });
      const { text: body, headers } = await authorize(app, query, user, { 'accept-language': `${code};q=0.9, tlh` });
      expect(headers.get('content-language')).toBe(code);
      for (const { may, not } of Object.values(t.consent.scopes)) {
        expect(body).toContain(`<p>${may}</p>`);
        expect(body).toContain(`>${not}</p>`);
      }
      expect(body).toContain('<bdi>A shop</bdi>');
      expect(body).toContain(`name="decision" value="deny" type="submit">${t.consent.no}</button>`);
      expect(body).toContain(`name="decision" value="allow" type="submit">${t.consent.yes}</button>`);
    },
  );

  it('a revocation during a refresh ends the issued token without an error', async () => {
    const [application, user] = await fresh();
    for (let round = 0; round < 10; round += 1) {
      const { refresh_token } = await newTokens(app, application, user);
      const refreshing = Array.from({ length: 16 }, () =>
        token(app, { grant_type: 'refresh_token', refresh_token, client_id: application.oauthIdentifier }),
      );
      const [answers] = await Promise.all([
        Promise.all(refreshing),
        refreshing[round % 4]?.then(() => revokeConsent(database.db, Number(user.id), application.id)),
      ]);
      for (const { status, body } of answers) {
        if (status !== 200) expect([status, body.error]).toEqual([400, 'invalid_grant']);
        else expect(await identityStatus(body.access_token)).toBe(401);
      }
    }
  });

  it('ends without an error if its application is deleted while codes and tokens are issued', async () => {
    const [, user] = await fresh();
    for (let round = 0; round < 6; round += 1) {
      const application = await newApplication(app, people.owner);
      const { refresh_token } = await newTokens(app, application, user);
      const refresh = () =>
        token(app, { grant_type: 'refresh_token', refresh_token, client_id: application.oauthIdentifier });
      const asking = Array.from({ length: 18 }, async (_, i) =>
        i % 3 === 0
          ? ask(application, user, 'auth.user_identity:read')
          : i % 3 === 1
            ? refresh()
            : token(app, redemption(application, await newCode(app, application, user).catch(() => 'none'))),
      );
      const deleted = asking[round % 3]?.then(() =>
        fetch(`${app.url}/api/v2/me/applications/${application.id}`, {
          method: 'DELETE',
          headers: { Authorization: `Bearer ${people.owner.accessToken}` },
        }),
      );
      for (const { status } of await Promise.all(asking)) expect([200, 303, 400, 401]).toContain(status);
      expect((await deleted)?.status).toBe(204);
    }
  });
});
