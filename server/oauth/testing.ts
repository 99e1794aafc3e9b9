/** Shared by the authorization server's tests: a user in a browser, and an application. */
import { createHash, randomBytes } from 'node:crypto';
import {
  createTestWallet,
  register,
  registerApplication,
  signInOnPages,
  type TestApp,
  type TestApplication,
} from '../testing.ts';

export const REDIRECT_URI = 'https://app.example/callback?kept=yes%20it%20is';

export interface FormResponse {
  status: number;
  /** The body, parsed if it is JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a type would repeat what the tests expect
  body: any;
  text: string;
  headers: Headers;
  location: URL | null;
}

export interface TestUser {
  id: string;
  handle: string;
  cookie: string;
  accessToken: string;
}

export async function newUser(app: TestApp, handle: string): Promise<TestUser> {
  const wallet = createTestWallet();
  const { user, accessToken } = await register(app, wallet, handle);
  return { id: user.id, handle, accessToken, cookie: (await signInOnPages(app, wallet)).Cookie };
}

export async function newApplication(
  app: TestApp,
  owner: TestUser,
  details: Record<string, unknown> = {},
): Promise<TestApplication> {
  const session = {
    accessToken: owner.accessToken,
    expiresIn: 0,
    user: { id: owner.id, handle: owner.handle, paymail: '', name: '' },
  };
  return registerApplication(app, session, { redirectUri: REDIRECT_URI, ...details });
}

async function answerOf(response: Response): Promise<FormResponse> {
  const text = await response.text();
  const location = response.headers.get('location');
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    text,
    body: isJson ? JSON.parse(text) : null,
    headers: response.headers,
    location: location === null ? null : new URL(location, 'https://relative.example'),
  };
}

type Fields = Record<string, string | undefined> | [string, string][];
const encode = (fields: Fields) =>
  new URLSearchParams(
    Array.isArray(fields)
      ? fields
      : Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString();

export async function postForm(
  url: string,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<FormResponse> {
  return answerOf(
    await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: encode(fields),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    }),
  );
}

/** Requests a page without following redirects. */
export async function open(url: string, headers: Record<string, string> = {}): Promise<FormResponse> {
  return answerOf(await fetch(url, { redirect: 'manual', headers }));
}

export const authorizeQuery = (
  application: TestApplication,
  changes: Record<string, string | undefined> = {},
): Record<string, string | undefined> => ({
  response_type: 'code',
  client_id: application.oauthIdentifier,
  redirect_uri: application.redirectUri ?? '',
  scope: 'auth.user_identity:read',
  state: 'the state & more',
  ...changes,
});

export const authorize = (app: TestApp, query: Fields, user?: TestUser, headers: Record<string, string> = {}) =>
  open(`${app.url}/oauth/v1/authorize?${encode(query)}`, { ...headers, ...(user && { Cookie: user.cookie }) });

export function hiddenFields(page: string): Record<string, string> {
  const unescape = (text: string) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  return Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)" ?\/?>/g)].map(
      ([, name = '', value = '']) => [name, unescape(value)],
    ),
  );
}

export const decide = (
  app: TestApp,
  page: FormResponse,
  user: TestUser,
  decision: string,
  headers: Record<string, string> = {},
) =>
  postForm(
    `${app.url}/oauth/v1/authorize`,
    { ...hiddenFields(page.text), decision },
    { Cookie: user.cookie, Origin: 'null', 'Sec-Fetch-Site': 'same-origin', ...headers },
  );

/** Returns an authorization code granted by the user, with or without the consent page. */
export async function newCode(
  app: TestApp,
  application: TestApplication,
  user: TestUser,
  changes: Record<string, string | undefined> = {},
): Promise<string> {
  const first = await authorize(app, authorizeQuery(application, changes), user);
  const answer = first.status === 200 ? await decide(app, first, user, 'allow') : first;
  const code = answer.location?.searchParams.get('code');
  if (!code) throw new Error(`no code: ${answer.status} ${answer.location?.href ?? answer.text}`);
  return code;
}

export const token = (app: { url: string }, fields: Fields, headers: Record<string, string> = {}) =>
  postForm(`${app.url}/oauth/v1/token`, fields, headers);

export const redemption = (application: TestApplication, code: string): Record<string, string | undefined> => ({
  grant_type: 'authorization_code',
  client_id: application.oauthIdentifier,
  redirect_uri: application.redirectUri ?? '',
  code,
});

export const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

export function newProof(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: challengeOf(verifier) };
}

/** Returns the access and refresh tokens of a new authorization. */
export async function newTokens(
  app: TestApp,
  application: TestApplication,
  user: TestUser,
  scope = 'auth.user_identity:read',
): Promise<{ access_token: string; refresh_token: string; scope: string }> {
  const answer = await token(
    app,
    redemption(application, await newCode(app, application, user, { scope })),
    application.requireSecret ? basic(application.oauthIdentifier, application.clientSecret) : {},
  );
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.text}`);
  return answer.body;
}
