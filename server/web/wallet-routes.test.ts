import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../testing.ts';
import { useTestDatabase } from '../database/testing.ts';

const database = useTestDatabase();
let dist: string;
let app: TestApp;

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
      // Not sent with fetch, which adds `Cache-Control: no-cache` to conditional requests.
      const [again] = (await once(
        get(`${app.url}/${name}`, { headers: { 'If-None-Match': response.headers.get('etag') ?? '' } }),
        'response',
      )) as [IncomingMessage];
      expect(again.statusCode).toBe(304);
      again.resume();
    }
  },
);

it('a wallet that isn’t built yet gets a 503 in plain text, uncached', async () => {
  const { status, headers, body } = await app.get('/wallet.zip');
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    503,
    'text/plain; charset=utf-8',
    'no-store',
  ]);
  expect(body).toContain('npm run build');
});

/** Requests the home page with this `User-Agent`. Returns the whole page and its wallet section. */
async function firstPage(agent: string, from = app): Promise<{ page: string; section: string }> {
  const page = String((await from.get('/', { 'User-Agent': agent })).body);
  const [, section = ''] = /<section aria-labelledby="wallet"([^]*?)<\/section>/.exec(page) ?? [];
  return { page, section };
}
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const EDGE = `${CHROME} Edg/140.0.0.0`;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const SAFARI = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const STORES = {
  WALLET_STORE_URL_CHROME: 'https://chromewebstore.example/detail/wallet/jjjodlnbbgpebiahflaojfmdfbdlliph',
  WALLET_STORE_URL_FIREFOX: 'https://addons.example/firefox/addon/wallet/?src=external',
};
const shown = (section: string) =>
  [...(section.split('<details')[0] ?? '').matchAll(/<h3[^>]*>([^<]+)</g)].map(([, title]) => title);

it('the first page offers both downloads with their SHA-256, even after a new build', async () => {
  expect((await firstPage(CHROME)).section).not.toContain('SHA-256');
  for (const build of ['one', 'two']) {
    await writeFile(join(dist, 'wallet.zip'), `${build} for Chromium`);
    await writeFile(join(dist, 'wallet-firefox.zip'), `${build} for Firefox`);
    for (const agent of [CHROME, FIREFOX, SAFARI, PHONE, 'curl/8']) {
      const { section } = await firstPage(agent);
      const paths = [...section.matchAll(/href="(\/[\w-]+\.zip)"/g)].map(([, path]) => path);
      expect(paths.toSorted()).toEqual(['/wallet-firefox.zip', '/wallet.zip']);
      const named = [...section.matchAll(/SHA-256 <span[^>]*>([0-9a-f]{64})</g)].map(([, sha256]) => sha256);
      const served = await Promise.all(
        paths.map(async (path) => Buffer.from(await (await fetch(app.url + path)).arrayBuffer())),
      );
      expect(named).toEqual(served.map((bytes) => createHash('sha256').update(bytes).digest('hex')));
    }
  }
});

it('the first page shows each browser its own instructions', async () => {
  const [chrome, edge, firefox, safari, phone, nobody] = (
    await Promise.all([CHROME, EDGE, FIREFOX, SAFARI, PHONE, 'curl/8'].map((agent) => firstPage(agent)))
  ).map(({ section }) => section) as [string, string, string, string, string, string];
  expect(shown(chrome)).toEqual(['Chrome']);
  expect(chrome).toContain('chrome://extensions');
  expect(shown(edge)).toEqual(['Edge']);
  expect(edge).toContain('edge://extensions');
  expect(shown(firefox)).toEqual(['Firefox']);
  expect(firefox).toContain('about:debugging#/runtime/this-firefox');
  expect(safari).toContain('The wallet isn’t available for Safari');
  expect(shown(safari)).toEqual(['Chrome, Edge, Brave or Opera', 'Firefox']);
  expect(shown(phone)).toEqual(['The wallet runs on computers', 'Paying from this phone']);
  expect(phone).toContain('QR code');
  expect(shown(nobody)).toEqual(['Chrome, Edge, Brave or Opera', 'Firefox']);
  // Every step that is more than a click has a drawing.
  for (const section of [chrome, edge, firefox])
    expect(section.match(/<svg class="drawing"/g)?.length).toBeGreaterThan(4);
});

it('"Get the wallet" links to the browser’s store if one is set, else to the instructions', async () => {
  const withStores = await startTestApp(database, { distDirectory: dist, env: STORES });
  try {
    const leads = async (from: TestApp, agent: string) => {
      const answer = await from.send('GET', '/wallet', undefined, { 'User-Agent': agent });
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store']);
      const { page } = await firstPage(agent, from);
      const [, link] = /href="([^"]+)">Get the wallet</.exec(page) ?? [];
      expect(link).toBe(answer.headers.get('location')?.replace(/^\/#/, '#'));
      return answer.headers.get('location');
    };
    const { WALLET_STORE_URL_CHROME: chrome, WALLET_STORE_URL_FIREFOX: firefox } = STORES;
    for (const agent of [CHROME, EDGE]) expect(await leads(withStores, agent)).toBe(chrome);
    expect(await leads(withStores, FIREFOX)).toBe(firefox);
    for (const agent of [SAFARI, PHONE, 'curl/8']) expect(await leads(withStores, agent)).toBe('/#wallet');
    for (const agent of [CHROME, FIREFOX, PHONE]) expect(await leads(app, agent)).toBe('/#wallet');
    // The download is still offered, but collapsed.
    const { section } = await firstPage(CHROME, withStores);
    expect(section.indexOf('Add it to Chrome')).toBeLessThan(section.indexOf('<details'));
    expect(section.indexOf('/wallet.zip')).toBeGreaterThan(section.indexOf('<details'));
  } finally {
    await withStores.close();
  }
});

describe('the release that wallets query', () => {
  const ask = () => app.get('/api/v2/wallet-release', { Origin: 'https://shop.example' });
  const build = async (manifest: string) => {
    await mkdir(join(dist, 'extension'), { recursive: true });
    await writeFile(join(dist, 'extension/manifest.json'), manifest);
  };

  it('equals the version in the manifest of the latest build', async () => {
    for (const version of ['0.1.0', '0.2']) {
      await build(JSON.stringify({ manifest_version: 3, version }));
      const { status, body, headers } = await ask();
      expect([status, body, headers.get('cache-control')]).toEqual([200, { version }, 'public, max-age=300']);
    }
  });

  it.each(['{', '{}', '{"version":"<b>"}', '{"version":"99999"}'])(
    'can’t be read from a manifest like %s',
    async (text) => {
      expect((await ask()).status).toBe(404);
      await build(text);
      expect((await ask()).body.error.code).toBe('not-found');
    },
  );
});
