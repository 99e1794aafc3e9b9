import { expect, test } from 'vitest';
import { hostOf, originParts } from './origin.ts';

test.each([
  ['https://shop.example', 'shop.example', null],
  ['https://shop.example:8443', 'shop.example', null],
  ['http://localhost:3000', 'localhost', null],
  ['http://127.0.0.1:3000', '127.0.0.1', null],
  ['https://[::1]:8443', '[::1]', null],
  ['http://shop.example', 'shop.example', 'not-encrypted'],
  ['https://xn--pypal-4ve.com', 'xn--pypal-4ve.com', 'foreign-letters'],
  ['https://pаypal.com', 'pаypal.com', 'foreign-letters'],
  ['null', 'null', 'odd'],
  ['https://user@shop.example', 'https://user@shop.example', 'odd'],
  ['https://shop.example/path', 'https://shop.example/path', 'odd'],
  ['moz-extension://abc', 'abc', 'odd'],
])('%s is split into its parts, with a warning if it is unusual', (origin, host, warning) => {
  const parts = originParts(origin);
  expect([parts.host, parts.warning]).toEqual([host, warning]);
  expect(parts.scheme + parts.host + parts.port).toBe(origin);
});

test('a site in a list is named by its host and port', () => {
  expect(hostOf('https://shop.example:8443')).toBe('shop.example:8443');
});
