import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { OpenDatabase } from '../database/connect.ts';
import { openTestDatabase } from '../database/testing.ts';
import { startTestApp, type TestApp } from '../testing.ts';

let database: OpenDatabase;
let dist: string;
let app: TestApp;

beforeAll(async () => void (database = await openTestDatabase()));
afterAll(() => database.close());
beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'wallet-'));
  app = await startTestApp(database, { distDirectory: dist });
});
afterEach(async () => {
  await app.close();
  await rm(dist, { recursive: true });
});

it.each(['wallet.zip', 'wallet-firefox.zip'])(
  '%s is served as a download, byte for byte, and needs no restart for a new build',
  async (name) => {
    for (const bytes of [Buffer.from([0x50, 0x4b, 0, 0xff]), Buffer.from('another build')]) {
      await writeFile(join(dist, name), bytes);
      const response = await fetch(`${app.url}/${name}`);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename=service-button-${name}`,
        'cache-control': 'public, max-age=60',
        etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
        'x-content-type-options': 'nosniff',
      });
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
      // Not by fetch, which asks for a fresh answer with every condition that it is given.
      const [again] = (await once(
        get(`${app.url}/${name}`, { headers: { 'If-None-Match': response.headers.get('etag') ?? '' } }),
        'response',
      )) as [IncomingMessage];
      expect(again.statusCode).toBe(304);
      again.resume();
    }
  },
);

it('a wallet that is not built yet is 503 in plain text, without caching', async () => {
  const { status, headers, body } = await app.get('/wallet.zip');
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    503,
    'text/plain; charset=utf-8',
    'no-store',
  ]);
  expect(body).toContain('npm run build');
});

it('the first page offers both, and every path it offers them at is there', async () => {
  await writeFile(join(dist, 'wallet.zip'), 'x');
  await writeFile(join(dist, 'wallet-firefox.zip'), 'x');
  const { body } = await app.get('/');
  const paths = [...String(body).matchAll(/href="(\/[\w-]+\.zip)"/g)].map(([, path]) => path);
  expect(paths).toEqual(['/wallet.zip', '/wallet-firefox.zip']);
  for (const path of paths) expect((await fetch(app.url + path)).status).toBe(200);
});
