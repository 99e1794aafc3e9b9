import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isLoopbackHost } from '../protocol/text/web-address.ts';
import { isReachableLoopback } from './settings.ts';

test('the wallet accepts the same names of this machine as its manifest', () => {
  const manifest = readFileSync(new URL('../manifest.json', import.meta.url), 'utf8');
  const allowed = [...new Set([...manifest.matchAll(/http:\/\/([^:/"*]+)/g)].map(([, host = '']) => host))];
  expect(allowed).toEqual(['localhost', '127.0.0.1']);
  for (const host of allowed) expect([isReachableLoopback(host), isLoopbackHost(host)], host).toEqual([true, true]);
  for (const host of ['127.0.0.2', '[::1]', 'app.localhost', 'localhost.example', ''])
    expect(isReachableLoopback(host), host).toBe(false);
});
