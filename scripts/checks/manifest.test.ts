/** Tests the manifests of the built packages, not of the sources. */
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { extensionKey } from '../../tooling/extension-key.ts';
import { FIREFOX_ID } from '../../tooling/firefox-package.ts';
import { zipFolder } from '../build/zip.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const read = (path: string) => readFileSync(join(dist, path), 'utf8');
const manifestOf = (folder: string) => JSON.parse(read(`${folder}/manifest.json`)) as Record<string, any>;
const filesOf = (folder: string) =>
  readdirSync(join(dist, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dist, folder).length + 1))
    .toSorted();

/** Permissions that the user grants, and files that pages can access. If these change, update docs/permissions.md. */
const SITES = ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'];
const SHARED = {
  manifest_version: 3,
  incognito: 'not_allowed',
  permissions: ['storage', 'alarms', 'idle', 'notifications', 'unlimitedStorage', 'scripting'],
  host_permissions: SITES,
  content_scripts: [
    { js: ['extension/content/relay.iife.js'], matches: SITES, run_at: 'document_start', all_frames: true },
    {
      js: ['extension/content/cwi.iife.js'],
      matches: SITES,
      run_at: 'document_start',
      all_frames: true,
      world: 'MAIN',
    },
  ],
};
const policy = (frameAncestors: string) => ({
  content_security_policy: {
    extension_pages:
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src https: http://localhost:* http://127.0.0.1:*; " +
      `object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${frameAncestors}; require-trusted-types-for 'script'; trusted-types 'none'`,
  },
});
/**
 * The relay's parts that are loaded on demand, and the frame for one-swipe payments. The URLs of these files change
 * with each session.
 */
const REACHABLE = ['extension/content/requests.js', 'extension/content/overlay.js', 'extension/swipe/index.html'];
const CHROMIUM = {
  ...policy('https: http://localhost:* http://127.0.0.1:*'),
  web_accessible_resources: [{ resources: REACHABLE, matches: SITES.toSorted(), use_dynamic_url: true }],
  background: { service_worker: 'service-worker-loader.js', type: 'module' },
  minimum_chrome_version: '120',
};
/** Manifest keys that don't request permissions or expose anything. */
const HARMLESS = ['name', 'short_name', 'version', 'description', 'icons', 'action', 'options_ui'];

beforeAll(() => {
  if (!existsSync(join(dist, 'firefox/manifest.json')))
    throw new Error('dist/ has no packages: run "npm run build" (npm test does).');
});

test('packages contain no code of npm run dev, which reloads itself', () => {
  for (const folder of ['extension', 'firefox'])
    for (const file of filesOf(folder))
      expect(read(`${folder}/${file}`), `${folder}/${file}`).not.toMatch(/runtime\.reload\b|__DEV_BUILD__/);
});

describe('the manifest', () => {
  test.each([
    ['extension', { ...CHROMIUM, key: extensionKey() }],
    [
      'chrome-web-store', // the store rejects a manifest with a key
      CHROMIUM,
    ],
    [
      'firefox',
      {
        ...policy("'none'"),
        web_accessible_resources: [{ resources: ['extension/content/requests.js'], matches: SITES.toSorted() }],
        background: { scripts: ['service-worker-loader.js'], type: 'module' },
        browser_specific_settings: {
          gecko: {
            id: FIREFOX_ID,
            strict_min_version: '153.0',
            data_collection_permissions: {
              required: ['browsingActivity', 'financialAndPaymentInfo', 'personallyIdentifyingInfo'],
            },
          },
        },
      },
    ],
  ])(
    'the manifest in %s requests exactly the known permissions, and makes nothing else web-accessible',
    (folder, own) => {
      const asked = Object.entries(manifestOf(folder)).filter(([key]) => !HARMLESS.includes(key));
      expect(Object.fromEntries(asked)).toEqual({ ...SHARED, ...own });
    },
  );

  test('the manifest has the version in package.json, so wallets notice newer versions', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    for (const folder of ['extension', 'firefox', 'chrome-web-store']) expect(manifestOf(folder).version).toBe(version);
  });

  test.each(['extension', 'firefox', 'chrome-web-store'])('the settings of %s open in a tab', (folder) => {
    expect(manifestOf(folder).options_ui).toEqual({ page: 'extension/popup/settings/index.html', open_in_tab: true });
  });

  test('names only existing files', () => {
    const manifest = manifestOf('extension');
    const named = [
      manifest.background.service_worker,
      manifest.action.default_popup,
      manifest.options_ui.page,
      ...Object.values(manifest.icons),
      ...Object.values(manifest.action.default_icon),
      ...manifest.content_scripts.flatMap(({ js }: { js: string[] }) => js),
    ];
    expect(filesOf('extension')).toEqual(expect.arrayContaining(named));
  });

  test('docs/permissions.md explains exactly the manifest’s permissions, sites, directives and versions', () => {
    const document = readFileSync(new URL('../../docs/permissions.md', import.meta.url), 'utf8');
    const section = (title: string) => document.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
    const rows = (title: string) =>
      [...section(title).matchAll(/^\| (.+?) \|/gm)]
        .map(([, cell = '']) => cell.replaceAll('`', ''))
        .filter((cell) => !cell.startsWith('-'))
        .slice(1);
    const [chrome, firefox] = [manifestOf('extension'), manifestOf('firefox')];
    const { gecko } = firefox.browser_specific_settings;
    expect(rows('Permissions')).toEqual(chrome.permissions);
    expect(rows('Sites')).toEqual(chrome.host_permissions);
    expect(rows('Content Security Policy of its windows')).toEqual(
      chrome.content_security_policy.extension_pages.split('; '),
    );
    expect(rows('Resources that pages can access')).toEqual(REACHABLE);
    expect(rows('Data that leaves the browser').toSorted()).toEqual(gecko.data_collection_permissions.required);
    const oldest = [...section('Oldest browsers').matchAll(/^\| [^|]+ \| (\d+) \|/gm)].map(([, version]) => version);
    expect(oldest).toEqual([chrome.minimum_chrome_version, gecko.strict_min_version.replace('.0', '')]);
    for (const [, path = ''] of document.matchAll(/`((?:extension|wallet|scripts)\/[^`]+\.tsx?)`/g))
      expect(existsSync(fileURLToPath(new URL(`../../${path}`, import.meta.url))), path).toBe(true);
  });
});

describe('the package', () => {
  test.each(['firefox', 'chrome-web-store'])(
    'the package in %s equals the one for Chromium byte for byte, except the manifest',
    (folder) => {
      const files = filesOf('extension');
      expect(filesOf(folder)).toEqual(files);
      for (const file of files)
        if (file !== 'manifest.json')
          expect(readFileSync(join(dist, folder, file)).equals(readFileSync(join(dist, 'extension', file))), file).toBe(
            true,
          );
    },
  );

  test('the package has scripts, styles, pages, pictures, licenses and its manifest, but no source map or source', () => {
    expect(
      filesOf('extension').filter(
        (file) =>
          !/^(?:assets\/[\w.-]+\.(?:js|css)|extension\/(?:popup|popup\/settings|approval|onboarding|swipe)\/index\.html|extension\/icons\/icon-\d+\.png|extension\/content\/(?:relay\.iife|cwi\.iife|requests|overlay)\.js|service-worker-loader\.js|licenses\.md|manifest\.json)$/.test(
            file,
          ),
      ),
    ).toEqual([]);
  });

  test('the package’s pages have no inline script, style or handler, and load only its own files', () => {
    for (const file of filesOf('extension').filter((name) => name.endsWith('.html'))) {
      const page = read(`extension/${file}`);
      expect(
        page.match(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:|<base|<iframe/gi),
        file,
      ).toBeNull();
      const loaded = [...page.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
      expect(loaded.length, file).toBeGreaterThan(0);
      expect(
        loaded.filter((address) => !/^\/assets\/[\w.-]+\.(?:js|css)$/.test(address ?? '')),
        file,
      ).toEqual([]);
    }
  });

  test('the package has no code that evaluates text or loads code from elsewhere', () => {
    for (const file of filesOf('extension').filter((name) => name.endsWith('.js'))) {
      const code = read(`extension/${file}`);
      expect(
        code.match(/\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(|importScripts|sourceMappingURL|document\.write\b/g),
        file,
      ).toBeNull();
      expect(code.match(/\bimport\s*\(?\s*["'`](?!\.{0,2}\/)/g), file).toBeNull();
    }
  });

  test.each([
    ['extension', 'wallet.zip'],
    ['firefox', 'wallet-firefox.zip'],
    ['chrome-web-store', 'wallet-chrome-web-store.zip'],
  ])('the package in %s is packed as %s', async (folder, file) => {
    expect(readFileSync(join(dist, file)).equals(await zipFolder(join(dist, folder)))).toBe(true);
  });
});
