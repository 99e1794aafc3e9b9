import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../server/database/testing.ts';
import {
  createTestWallet,
  register,
  registerApplication,
  signInOnPages,
  startTestApp,
  type TestApp,
} from '../../server/testing.ts';
import { startNginx } from './nginx.ts';
import { findServer } from '../../tooling/system.ts';

const CALLBACK = 'https://app.example/callback';
/** A `state` of maximum length, which takes 20 kB in the redirect to the sign-in page. No character takes more space. */
const LONGEST_STATE = '%'.repeat(4_096);

describe.skipIf(findServer('nginx') === null)('a long OAuth state sent through deploy/nginx.conf', () => {
  const database = useTestDatabase();
  let app: TestApp;
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  let clientId: string;
  let cookie: Record<string, string>;

  beforeAll(async () => {
    app = await startTestApp(database);
    nginx = await startNginx([app.url, app.url]);
    const wallet = createTestWallet();
    const session = await register(app, wallet, 'long-state');
    clientId = (await registerApplication(app, session, { redirectUri: CALLBACK })).oauthIdentifier;
    cookie = await signInOnPages(app, wallet);
  });
  afterAll(async () => {
    await nginx.close();
    await app.close();
  });

  const request = (state: string) =>
    new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: CALLBACK,
      scope: 'auth.user_identity:read',
      state,
    });
  /** Sends a request with a browser's header limit, which is higher than fetch's. */
  async function open(path: string, headers: Record<string, string> = {}, body?: URLSearchParams) {
    const sent = httpRequest(new URL(path, nginx.url), {
      method: body ? 'POST' : 'GET',
      headers: { ...headers, ...(body && { 'Content-Type': 'application/x-www-form-urlencoded' }) },
      maxHeaderSize: 256 * 1024,
    }).end(body?.toString());
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, location: response.headers.location ?? '', text: await text(response) };
  }

  it('returns unchanged after sign-in and consent', async () => {
    const authorize = await open(`/oauth/v1/authorize?${request(LONGEST_STATE)}`);
    expect(authorize.status).toBe(303);
    expect((await open(authorize.location)).status).toBe(200);
    const signedIn = await open(authorize.location, cookie);
    expect(signedIn.status).toBe(303);
    const consent = await open(signedIn.location, cookie);
    const token = /name="form-token" value="([^"]+)"/.exec(consent.text)?.[1] ?? '';
    expect([consent.status, token.length > 0]).toEqual([200, true]);
    const body = request(LONGEST_STATE);
    body.set('decision', 'allow');
    body.set('form-token', token);
    const answer = await open('/oauth/v1/authorize', cookie, body);
    expect(answer.status, answer.text).toBe(303);
    const { searchParams } = new URL(answer.location);
    expect([answer.status, searchParams.get('state'), searchParams.has('code')]).toEqual([303, LONGEST_STATE, true]);
  });

  it.each([4_097, 9_000])(
    'results in the error invalid_request at the application if it has %i bytes',
    async (length) => {
      const answer = await open(`/oauth/v1/authorize?${request('%'.repeat(length))}`);
      const { origin, pathname, searchParams } = new URL(answer.location);
      expect([answer.status, origin + pathname, searchParams.get('error'), searchParams.get('state')]).toEqual([
        303,
        CALLBACK,
        'invalid_request',
        null,
      ]);
    },
  );
});
