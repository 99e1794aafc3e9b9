import { expect, test } from 'vitest';
import { asciiDomain, isSameDomain } from './paymail-domain.ts';

test.each([
  ['pay.example', 'pay.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['bu\u0308cher。example', 'xn--bcher-kva.example'],
  ['ｐａｙ.example', 'pay.example'],
  ['localhost:3000', 'localhost:3000'],
  ['127.1:80', '127.0.0.1:80'],
])('the domain %s is %s in ASCII', (domain, ascii) => {
  expect(asciiDomain(domain)).toBe(ascii);
});

test.each([
  '',
  ':80',
  'a b',
  'a/b',
  'a?b',
  'a#b',
  'a\\b',
  'a@b',
  'a%2eb',
  '[::1]',
  'a:b',
  'a:1:2',
  'a\tb',
  'xn--.example',
])('%j isn’t a domain', (domain) => {
  expect(asciiDomain(domain)).toBeNull();
});

test('domains are the same in Unicode and ASCII, but not with another port or another letter', () => {
  const same = (domain: string, ascii: string) => isSameDomain(domain, ascii);
  expect(same('bücher.example', 'xn--bcher-kva.example')).toBe(true);
  expect(same('xn--bcher-kva.example', 'xn--bcher-kva.example')).toBe(true);
  expect(same('bücher.example。', 'xn--bcher-kva.example')).toBe(true);
  expect(same('localhost:4002', 'localhost:4002')).toBe(true);
  expect(same('localhost:4002', 'localhost')).toBe(false);
  expect(same('localhost', 'localhost:4002')).toBe(false);
  expect(same('bucher.example', 'xn--bcher-kva.example')).toBe(false);
  expect(same('xn--.example', 'xn--bcher-kva.example')).toBe(false);
});
