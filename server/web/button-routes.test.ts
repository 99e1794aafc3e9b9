import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUTTON_HOME } from '../../protocol/text/product.ts';
import { startTestApp, type TestApp } from '../testing.ts';
import { manifestOf, type ButtonManifest } from './button-build.ts';
import { openButtonStore } from './button-store.ts';
import { useTestDatabase } from '../database/testing.ts';

const PLAIN = `void '${'a long script, '.repeat(40)}';`;
const database = useTestDatabase();
let directory: string;
let dist: string;
let app: TestApp;

async function writeBuild(folder: string, script: string, release = '1.2.0'): Promise<ButtonManifest> {
  const files = new Map(
    Object.entries({ 'button.js': script, 'button.de.js': 'void "Wischen";', 'button.phone.js': 'void "phone";' }).map(
      ([name, text]) => [name, Buffer.from(text)],
    ),
  );
  const manifest = manifestOf(release, files);
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes);
  await writeFile(join(folder, 'button.json'), JSON.stringify(manifest));
  return manifest;
}

interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET', to = app): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    request(to.url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'button-'));
  dist = join(directory, 'dist');
  app = await startTestApp(database, { distDirectory: dist, dataDirectory: join(directory, 'data') });
});
afterEach(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

describe('the current build of the button', () => {
  it('responds with 503 in plain text until it exists, and then needs no restart', async () => {
    for (const path of ['/button.js', '/button.de.js', '/button.json']) {
      const missing = await ask(path);
      expect([missing.status, missing.headers['content-type'], missing.headers['cache-control']], path).toEqual([
        503,
        'text/plain; charset=utf-8',
        'no-store',
      ]);
      expect(missing.body.toString()).toContain('npm run build');
    }
    await writeBuild(dist, PLAIN);
    expect((await ask('/button.js')).body.toString()).toBe(PLAIN);
  });

  it('can be read by every site and cached for a minute', async () => {
    await writeBuild(dist, PLAIN);
    for (const [path, body] of [
      ['/button.js', PLAIN],
      ['/button.de.js', 'void "Wischen";'],
    ] as const) {
      const answer = await ask(path, { Origin: 'https://shop.example' });
      expect([answer.status, answer.body.toString()]).toEqual([200, body]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=60',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
    for (const path of [
      '/button.fr.js',
      '/button.json.js',
      '/button..js',
      '/button.de%2f..%2fx.js',
      '/button.constructor.js',
    ]) {
      expect((await ask(path)).status, path).toBe(404);
    }
  });

  it('contains the service’s address and the parts of its version', async () => {
    const placed = await startTestApp(database, {
      distDirectory: dist,
      dataDirectory: join(directory, 'placed'),
      baseUrl: 'https://pay.example',
    });
    const built = `void "${BUTTON_HOME}";`;
    const { version, path } = await writeBuild(dist, built);
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
      ['identity', Buffer.from],
    ] as const) {
      const { body } = await ask('/button.js', { 'Accept-Encoding': encoding }, 'GET', placed);
      expect(unpack(body).toString()).toBe(`void "https://pay.example/button/${version}/";`);
    }
    // The versioned path serves the script as built, so its hash is the same for all services.
    expect((await ask(path, {}, 'GET', placed)).body.toString()).toBe(built);
    await placed.close();
  });

  it('comes with a manifest of its version, paths, and hashes of the served bytes', async () => {
    const manifest = await writeBuild(dist, PLAIN);
    const { body, headers } = await app.get('/button.json');
    expect(body).toEqual(manifest);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    const script = await ask(body.path);
    expect(body.integrity).toBe(`sha384-${createHash('sha384').update(script.body).digest('base64')}`);
    expect(Object.keys(body.parts)).toEqual(['de', 'phone']);
    for (const { path, integrity } of Object.values(manifest.parts)) {
      expect(integrity).toBe(
        `sha256-${createHash('sha256')
          .update((await ask(path)).body)
          .digest('base64')}`,
      );
    }
  });

  it('remains the last complete one while another is being written', async () => {
    const manifest = await writeBuild(dist, PLAIN);
    await ask('/button.js');
    await writeFile(join(dist, 'button.js'), 'half a scr');
    expect((await ask('/button.js')).body.toString()).toBe(PLAIN);
    await writeFile(join(dist, 'button.json'), JSON.stringify({ ...manifest, version: '1.2.1-00000000' }));
    expect((await ask('/button.js')).body.toString()).toBe(PLAIN);
  });
});

describe('the document on embedding', () => {
  it('documents how long each path is cached', async () => {
    const { version } = await writeBuild(dist, PLAIN);
    const rows = [
      ...readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8').matchAll(
        /^\| (`\/button.*?) \| `(.+?)` \|/gm,
      ),
    ];
    expect(rows).toHaveLength(2);
    for (const [, paths = '', kept] of rows) {
      for (const [, path = ''] of paths.matchAll(/`(.+?)`/g)) {
        const { status, headers } = await ask('/button.js').then(() =>
          ask(path.replace('{version}', version).replace('{part}', 'de')),
        );
        expect([status, headers['cache-control'], headers['access-control-allow-origin']], path).toEqual([
          200,
          kept,
          '*',
        ]);
      }
    }
  });
});

describe('compressed scripts', () => {
  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, Buffer.from],
    ['', undefined, Buffer.from],
  ])('match Accept-Encoding "%s": %s', async (accepted, encoding, unpack) => {
    const { path } = await writeBuild(dist, PLAIN);
    for (const address of ['/button.js', path]) {
      await ask('/button.js');
      const answer = await ask(address, { 'Accept-Encoding': accepted });
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers.vary).toContain('Accept-Encoding');
      expect(Number(answer.headers['content-length'])).toBe(answer.body.length);
      expect(unpack(answer.body).toString()).toBe(PLAIN);
      if (encoding) expect(answer.body.length).toBeLessThan(PLAIN.length / 2);
    }
  });

  it('carry a separate entity tag for each encoding, which gets a 304', async () => {
    await writeBuild(dist, PLAIN);
    const tags = new Set<string>();
    for (const accepted of ['br', 'gzip', 'identity']) {
      const { headers } = await ask('/button.js', { 'Accept-Encoding': accepted });
      const etag = headers.etag ?? '';
      tags.add(etag);
      const again = await ask('/button.js', { 'Accept-Encoding': accepted, 'If-None-Match': etag });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    }
    expect(tags.size).toBe(3);
    expect((await ask('/button.js', {}, 'HEAD')).headers['content-length']).toBe(String(PLAIN.length));
  });
});

describe('a build at its versioned path', () => {
  it('sends headers that let any site cache it forever and check its hash', async () => {
    const { path, parts } = await writeBuild(dist, PLAIN);
    await ask('/button.js');
    for (const address of [path, parts.de!.path]) {
      const answer = await ask(address, { Origin: 'https://shop.example' });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('remains available, byte for byte, after later builds and a restart', async () => {
    const first = await writeBuild(dist, PLAIN);
    await ask('/button.js');
    const second = await writeBuild(dist, 'void "the second";');
    expect((await ask('/button.js')).body.toString()).toBe('void "the second";');
    expect((await ask(first.path)).body.toString()).toBe(PLAIN);
    const third = await writeBuild(dist, 'void "the third";');
    const restarted = await startTestApp(database, { distDirectory: dist, dataDirectory: join(directory, 'data') });
    const bodies = await Promise.all(
      [first, second, third].map(async ({ path }) => (await ask(path, {}, 'GET', restarted)).body.toString()),
    );
    expect(bodies).toEqual([PLAIN, 'void "the second";', 'void "the third";']);
    await restarted.close();
  });

  it('responds with 404, uncached, for an unknown version or file', async () => {
    const { version } = await writeBuild(dist, PLAIN);
    await ask('/button.js');
    await writeFile(join(directory, 'data/button/button.js'), 'a secret');
    await writeFile(join(directory, 'data/private.js'), 'a secret');
    for (const path of [
      '/button/9.9.9-00000000/button.js',
      '/button/latest/button.js',
      `/button/${version}/button.fr.js`,
      `/button/${version}/button.json`,
      `/button/${version}/`,
      `/button/${version}/..%2f..%2fprivate.js`,
      '/button/..%2f/private.js',
      '/button/%2e%2e/private.js',
      '/button/%2e/button.js',
      '/button/__proto__/button.js',
      `/button/${version}%00/button.js`,
      `/button/.%2f${version}/button.js`,
      `/button/${version.toUpperCase()}X/button.js`,
    ]) {
      const answer = await ask(path);
      expect([answer.status, answer.body.includes('a secret')], path).toEqual([404, false]);
      expect(answer.headers['cache-control'], path).toBe('no-store');
    }
  });
});

describe('storing a build', () => {
  const unexpected = (error: unknown) => expect.unreachable(String(error));

  it('happens once if several services start concurrently on one folder', async () => {
    const kept = join(directory, 'shared');
    const { version } = await writeBuild(dist, PLAIN);
    const stores = await Promise.all(Array.from({ length: 8 }, () => openButtonStore(dist, kept, unexpected)));
    expect(await readdir(kept)).toEqual([version]);
    await writeBuild(dist, 'void "the next";');
    for (const store of stores) {
      await store.current();
      expect((await store.version(version))?.files.get('button.js')?.identity.toString()).toBe(PLAIN);
    }
    expect(await readdir(kept)).toHaveLength(2);
  });

  it('repairs an incomplete build, and serves no build that was changed', async () => {
    const kept = join(directory, 'shared');
    const { version } = await writeBuild(dist, PLAIN);
    await mkdir(join(kept, version), { recursive: true });
    await writeFile(join(kept, version, 'button.js'), '');
    await openButtonStore(dist, kept, unexpected);
    await writeBuild(dist, 'void "the next";');
    const store = await openButtonStore(dist, kept, unexpected);
    expect((await store.version(version))?.files.get('button.js')?.identity.toString()).toBe(PLAIN);

    await writeFile(join(kept, version, 'button.de.js'), 'void "changed";');
    const another = await openButtonStore(dist, kept, unexpected);
    expect(await another.version(version)).toBeNull();
  });

  it('reports a failure, and still serves the current build', async () => {
    await writeFile(join(directory, 'a-file'), '');
    const { version } = await writeBuild(dist, PLAIN);
    const told: unknown[] = [];
    const store = await openButtonStore(dist, join(directory, 'a-file'), (error) => told.push(error));
    expect(told).toHaveLength(1);
    expect((await store.version(version))?.manifest.version).toBe(version);
  });
});

describe('a missing script', () => {
  it.each([
    ['/buttn.js', '/button.js'],
    ['/js/button.min.js', '/button.js'],
    ['/button.fr.js', 'button.fr.js'],
    ['/button/0.0.1/button.js', '/button.js'],
    ['/api/button.js', '/button.js'],
    ['/assets/button.js', '/button.js'],
    ['/pay', '/button.js'],
  ])('gets an explanation that pages of every site can read: %s', async (path, named) => {
    await writeBuild(dist, PLAIN);
    const { status, headers, body } = await ask(path, { 'Sec-Fetch-Dest': 'script', 'Sec-Fetch-Site': 'cross-site' });
    expect([status, headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(body.toString()).toContain(path);
    expect(body.toString()).toContain(named);
  });

  it('doesn’t change pages or their own origin’s policy', async () => {
    const { status, headers } = await ask('/nothing', { 'Sec-Fetch-Dest': 'document', Accept: 'text/html' });
    expect([status, headers['content-type'], headers['cross-origin-resource-policy']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'same-origin',
    ]);
  });
});
