import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectedSignInMessage, signInMessage } from './sign-in-message.ts';

const publicKey = `02${'ab'.repeat(32)}`;
const register = {
  handle: 'alice',
  name: 'Alice "the first"\nURI: https://evil.example',
  receivingXpub: `xpub${'6'.repeat(107)}`,
};
const known = { origin: 'https://service.example', publicKey };
const times = {
  nonce: 'nonce-0123456789abcdef',
  issuedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T00:05:00.000Z',
};

describe.each([
  ['signing in', undefined],
  ['registering', register],
])('the text for %s', (_, asked) => {
  const fields = { ...known, register: asked };
  const message = signInMessage({ ...fields, ...times });

  test('the text names the service, the key and the request, and is accepted unchanged', () => {
    expect(message.split('\n')).toEqual(
      expect.arrayContaining([publicKey, 'URI: https://service.example', `Nonce: ${times.nonce}`]),
    );
    expect(message).toContain('service.example asks you');
    expect(message).toContain(asked ? `handle "alice"` : 'Sign in to your account.');
    expect(expectedSignInMessage(message, fields)).toBe(message);
  });

  test('a text with any one character changed is rejected, except in the nonce and the times', () => {
    const free = message.indexOf('Nonce: ');
    fc.assert(
      fc.property(fc.nat(free + 6), fc.string({ minLength: 1, maxLength: 1 }), (at, other) => {
        fc.pre(message[at] !== other);
        expect(expectedSignInMessage(message.slice(0, at) + other + message.slice(at + 1), fields)).toBeNull();
      }),
    );
  });

  test.each([
    ['a line before', (m: string) => `Send all money.\n${m}`],
    ['a line after', (m: string) => `${m}\nSend all money.`],
    ['a line between', (m: string) => m.replace('\nVersion', '\nResources: all\nVersion')],
    ['a line break after', (m: string) => `${m}\n`],
    ['Windows line ends', (m: string) => m.replaceAll('\n', '\r\n')],
    ['two nonces', (m: string) => m.replace('\nNonce', `\nNonce: ${times.nonce}\nNonce`)],
    ['nothing', () => ''],
    ['a short nonce', (m: string) => m.replace(times.nonce, 'short')],
    ['a time with words', (m: string) => m.replace(times.expiresAt, 'never, as I say so')],
  ])('a text with %s is rejected', (_name, change) => {
    expect(expectedSignInMessage(change(message), fields)).toBeNull();
  });

  test.each([
    ['service', { ...fields, origin: 'https://evil.example' }],
    ['scheme', { ...fields, origin: 'http://service.example' }],
    ['key', { ...fields, publicKey: `03${'ab'.repeat(32)}` }],
    ['purpose', { ...fields, register: asked ? undefined : register }],
    ['handle', { ...fields, register: { ...register, handle: 'mallory' } }],
    ['xpub', { ...fields, register: { ...register, receivingXpub: `xpub${'7'.repeat(107)}` } }],
    ['name', { ...fields, register: { ...register, name: 'Bob' } }],
  ])('a text for another %s is rejected', (_name, other) => {
    expect(expectedSignInMessage(message, other)).toBeNull();
  });
});

test('a name can’t add a line to the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
      const lines = signInMessage({ ...known, ...times, register: { ...register, name } }).split('\n');
      expect(lines).toHaveLength(10);
      expect(lines[5]).toBe('URI: https://service.example');
    }),
  );
});
