import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOME, returnPath } from './return-path.ts';

const BASE = 'https://service.example';

describe('the return path after signing in', () => {
  test.each([
    '/',
    '/account',
    '/oauth/v1/authorize?response_type=code&client_id=a&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&scope=payments%3Aread&state=x',
    '/a?b=//c',
    '/a/b?return=/c',
  ])('equals the named path: %s', (path) => {
    expect(returnPath(path, BASE)).toBe(path);
  });

  test.each([
    undefined,
    null,
    '',
    7,
    ['/a', '/b'],
    'account',
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    ' /account',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/sign-in',
    '/sign-in?return=/sign-in',
    '/ü',
    'https://service.example/account',
  ])('defaults to the account for any other value: %j', (path) => {
    expect(returnPath(path, BASE)).toBe(HOME);
  });

  test('never leads to another site', () => {
    const odd = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '@',
      ':',
      '?',
      '#',
      '\t',
      '\n',
      'evil.example',
      'a',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 8 }), (parts) => {
        expect(new URL(returnPath(`/${parts.join('')}`, BASE), BASE).origin).toBe(BASE);
      }),
      { numRuns: 2000 },
    );
  });
});
