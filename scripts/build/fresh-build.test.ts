import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildWhereStale } from './fresh-build.ts';

const SERVICE = 'http://localhost:3000';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fresh-build-'));
  write('node_modules/x', '');
  write('page-script/main.ts', 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
const buildAgain = (serviceUrl = SERVICE, build = async () => write('dist/button.js', 'built')) =>
  buildWhereStale(serviceUrl, build, root);

test('an unchanged source is not rebuilt', async () => {
  expect(await buildAgain()).toBe(true);
  expect(await buildAgain()).toBe(false);
  write('page-script/main.test.ts', 'a test is no source');
  write('server/payments/routes.ts', 'nor is what only the service runs');
  expect(await buildAgain()).toBe(false);
});

test.each<[string, () => void]>([
  ['a source', () => write('page-script/main.ts', 'two')],
  ['a new source', () => write('protocol/new.ts', '')],
  ['a source that is gone', () => rmSync(join(root, 'page-script/main.ts'))],
  ['a setting of the build', () => write('vite.config.ts', 'other')],
  ['what was built', () => write('dist/button.js', 'somebody else’s')],
  ['what was built is gone', () => rmSync(join(root, 'dist'), { recursive: true })],
])('a build is outdated after a change: %s', async (_, change) => {
  await buildAgain();
  change();
  expect(await buildAgain()).toBe(true);
  expect(await buildAgain()).toBe(false);
});

test('a build for another service, or a failed one, is outdated', async () => {
  await buildAgain();
  expect(await buildAgain('https://pay.example')).toBe(true);
  const failing = () => Promise.reject(new Error('no'));
  write('page-script/main.ts', 'two');
  await expect(buildAgain('https://pay.example', failing)).rejects.toThrow('no');
  expect(await buildAgain('https://pay.example')).toBe(true);
});

test('a build with a different extension key is outdated', async () => {
  await buildAgain();
  vi.stubEnv('EXTENSION_KEY', 'another');
  expect(await buildAgain()).toBe(true);
  vi.unstubAllEnvs();
  expect(await buildAgain()).toBe(true);
});
