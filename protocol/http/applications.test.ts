import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import * as api from './applications.ts';
import { changedApplication, newApplication, replacedWebhookSecret } from './applications.ts';
import { readAnswer } from './testing-members.ts';

const MINIMAL_APPLICATION = { name: 'Shop', url: 'https://shop.example' };
const problems = (change: object) =>
  (newApplication.safeParse({ ...MINIMAL_APPLICATION, ...change }).error?.issues ?? []).map(({ message }) => message);

describe('an application', () => {
  test.each([
    {},
    { name: 'x'.repeat(60) },
    { url: 'http://localhost:3000/a' },
    { description: '' },
    { description: `a\n${'x'.repeat(498)}` },
    { redirectUri: null, webhookUrl: null, webhookBodySecret: null },
    { redirectUri: '', webhookUrl: '' },
    { redirectUri: 'https://shop.example/back?a=b', webhookUrl: 'https://shop.example/hook' },
    { webhookBodySecret: 'x'.repeat(200) },
    { requirePkce: true, requireSecret: false },
  ])('an application with %j is valid', (change) => {
    expect(problems(change)).toEqual([]);
    expect(changedApplication.safeParse(change).success).toBe(true);
  });

  const ADDRESS = 'must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.';
  const ANSWERS = 'The redirect URL can’t contain the parameters code, state, iss or error. The response adds them.';
  test.each([
    [{ name: undefined }, 'The name must be text.'],
    [{ name: 'x'.repeat(61) }, 'The name must be at most 60 characters.'],
    [{ name: '' }, 'The name can’t be empty.'],
    [{ name: ' \u200b' }, 'The name can’t be empty.'],
    [{ name: 'Shop\u202e' }, 'The name contains characters that can’t be displayed.'],
    [{ url: '' }, `The site ${ADDRESS}`],
    [{ url: 'http://shop.example' }, `The site ${ADDRESS}`],
    [{ url: `https://shop.example/${'x'.repeat(500)}` }, 'The site must be at most 500 characters.'],
    [{ url: 'http://shop.example/'.padEnd(500, 'x') }, `The site ${ADDRESS}`],
    [{ url: 'x'.repeat(501) }, 'The site must be at most 500 characters.'],
    [{ description: 'x'.repeat(501) }, 'The description must be at most 500 characters.'],
    [{ description: 'a\u202e' }, 'The description contains characters that can’t be displayed.'],
    [{ redirectUri: 'https://shop.example/#a' }, `The redirect URL ${ADDRESS}`],
    [{ redirectUri: 'https://ann:b@shop.example/' }, `The redirect URL ${ADDRESS}`],
    [{ redirectUri: 'https://shop.example/?code=1' }, ANSWERS],
    [{ redirectUri: 'https://shop.example/?a=b&state=' }, ANSWERS],
    [{ webhookUrl: 'ftp://shop.example' }, `The webhook URL ${ADDRESS}`],
    [{ webhookBodySecret: '' }, 'The webhook body secret can’t be empty.'],
    [{ webhookBodySecret: 'x'.repeat(201) }, 'The webhook body secret must be at most 200 characters.'],
    [{ webhookBodySecret: 'a\u202e' }, 'The webhook body secret contains characters that can’t be displayed.'],
    [{ requirePkce: 'yes' }, 'requirePkce must be true or false.'],
    [{ requireSecret: 1 }, 'requireSecret must be true or false.'],
  ])('an application with %j is rejected, for one reason', (change, message) => {
    expect(problems(change)).toEqual([message]);
  });

  test('an application rejects other fields, and a change of one may be empty but not invalid', () => {
    expect(problems({ clientSecret: 'x' })).toHaveLength(1);
    expect(changedApplication.safeParse({}).success).toBe(true);
    expect(changedApplication.safeParse({ url: 'http://shop.example' }).success).toBe(false);
  });
});

test('an old webhook secret keeps signing for a whole number of seconds, up to seven days', () => {
  const problem = (previousExpiresIn: unknown) =>
    replacedWebhookSecret.safeParse({ previousExpiresIn }).error?.issues[0]?.message ?? null;
  expect([undefined, 0, 1, 604_800].map(problem)).toEqual([null, null, null, null]);
  expect(problem(604_801)).toBe('previousExpiresIn must be at most 604800 seconds (seven days).');
  expect(problem(-1)).toBe('previousExpiresIn must not be negative.');
  for (const wrong of [0.5, '1', null])
    expect(problem(wrong)).toBe('previousExpiresIn must be a whole number of seconds.');
  expect(replacedWebhookSecret.safeParse({ seconds: 1 }).success).toBe(false);
});

describe('a response', () => {
  const application = {
    id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    name: 'Shop',
    url: 'https://shop.example',
    description: '',
    clientIdentifier: 'c',
    oauthIdentifier: 'o',
    redirectUri: null,
    webhookUrl: null,
    webhookBody: 'signed',
    previousWebhookSecretExpiresAt: null,
    requirePkce: true,
    requireSecret: false,
    createdAt: 'c',
    updatedAt: 'u',
  };
  const secrets = { clientSecret: 'cs', webhookSecret: 'ws' };

  test.each<[string, z.ZodMiniType, object]>([
    [
      'a new application, the only one with both secrets',
      api.createdApplicationResponse,
      { ...application, ...secrets },
    ],
    ['an application', api.applicationResponse, application],
    ['a new client secret', api.clientSecretResponse, { ...application, clientSecret: 'cs' }],
    ['a new webhook secret', api.webhookSecretResponse, { ...application, webhookSecret: 'ws' }],
  ])('a response of %s has all listed members, and no others', (_, schema, whole) => {
    expect(readAnswer(schema, { application: whole })).toEqual({ read: { application: whole }, optional: [] });
    const { application: read } = schema.parse({ application: { ...secrets, ...whole } }) as { application: object };
    expect(read).toEqual(whole);
  });

  test('a list of applications omits their secrets', () => {
    const applications = [application, { ...application, webhookBody: 'with-secret' }];
    expect(readAnswer(api.applicationsResponse, { applications })).toEqual({ read: { applications }, optional: [] });
    const withSecrets = applications.map((one) => ({ ...one, ...secrets }));
    expect(api.applicationsResponse.parse({ applications: withSecrets })).toEqual({ applications });
  });

  test.each(['', 'none'])('the version of webhook bodies is one of two, not %j', (webhookBody) => {
    expect(api.applicationResponse.safeParse({ application: { ...application, webhookBody } }).success).toBe(false);
  });
});
