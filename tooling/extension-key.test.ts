import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { DEVELOPMENT_KEY, extensionId, extensionKey } from './extension-key.ts';

const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

test('the key is EXTENSION_KEY, or else the repository’s', () => {
  expect(extensionKey({})).toBe(DEVELOPMENT_KEY);
  expect(extensionKey({ EXTENSION_KEY: '' })).toBe(DEVELOPMENT_KEY);
  expect(extensionKey({ EXTENSION_KEY: other })).toBe(other);
  // The store displays the key on several lines.
  expect(extensionKey({ EXTENSION_KEY: `${other.slice(0, 20)}\n${other.slice(20)}\n` })).toBe(other);
});

test.each([
  'not base64!',
  'bm8ga2V5',
  other.slice(0, -4),
  `${other}AAAA`,
  `-----BEGIN PUBLIC KEY-----${other}-----END PUBLIC KEY-----`,
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
])('an invalid public key is rejected: %s', (EXTENSION_KEY) => {
  expect(() => extensionKey({ EXTENSION_KEY })).toThrow('EXTENSION_KEY must be a public key');
});

test('the id of a build without EXTENSION_KEY never changes, because browsers store a wallet under its id', () => {
  // e2e/wallet/onboarding.test.ts compares this ID with the ID that Chromium assigns.
  expect(extensionId(DEVELOPMENT_KEY)).toBe('jjjodlnbbgpebiahflaojfmdfbdlliph');
});
