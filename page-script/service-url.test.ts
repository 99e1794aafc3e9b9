import { expect, test } from 'vitest';
import { serviceUrl } from './service-url.ts';

const page = (current: string | null, found: string | null = null) => ({
  currentScript: current === null ? null : { src: current },
  querySelector: () => (found === null ? null : { src: found }),
}) as unknown as Document;

test.each([
  ['a script of the service', page('https://pay.example/v1/button.js'), 'https://pay.example/'],
  ['with a port', page('http://localhost:3000/button.js'), 'http://localhost:3000/'],
  ['a module, found by its name', page(null, 'https://pay.example/button.js'), 'https://pay.example/'],
  ['an inline script', page(''), null],
  ['a bundle', page(null), null],
  ['a blob', page('blob:https://a.example/1'), null],
])('%s', (_, document, expected) => expect(serviceUrl(document)).toBe(expected));
