/** Tests that the packed wallet is identical for every checkout of a commit, regardless of the build time. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVELOPMENT_KEY } from '../tooling/extension-key.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = [
  'extension',
  'look',
  'protocol',
  'scripts',
  'tooling',
  'wallet',
  'manifest.json',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
];
const PACKAGES = ['wallet.zip', 'wallet-firefox.zip', 'wallet-chrome-web-store.zip'];

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'wallet-builds-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function checkOut(path: string, age: number): Promise<string> {
  const root = join(folder, path);
  await mkdir(root, { recursive: true });
  for (const source of SOURCES) await cp(join(ROOT, source), join(root, source), { recursive: true });
  for (const file of ['manifest.json', 'extension/background/main.ts']) await utimes(join(root, file), age, age);
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'junction');
  return root;
}

async function build(root: string, env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/build-wallet.ts'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', BASE_URL: 'https://pay.example', EXTENSION_KEY: '', ...env },
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => void (said += chunk));
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk));
  const [code] = (await once(child, 'close')) as [number];
  expect(code, said).toBe(0);
  return said;
}

test('two checkouts in different folders and at different times produce the same bytes, without their paths', async () => {
  const [one, two] = [await checkOut('one', 1_000_000), await checkOut('elsewhere/and/deeper', 1_700_000_000)];
  const said = await build(one);
  const saidAgain = await build(two, { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8' });
  for (const name of PACKAGES) {
    const bytes = await readFile(join(one, 'dist', name));
    expect((await readFile(join(two, 'dist', name))).equals(bytes), name).toBe(true);
    const line = `${createHash('sha256').update(bytes).digest('hex')}  dist/${name}`;
    expect(said).toContain(line);
    expect(saidAgain).toContain(line);
  }
  const manifest = JSON.parse(await readFile(join(one, 'dist/extension/manifest.json'), 'utf8')) as { key: string };
  expect(manifest.key).toBe(DEVELOPMENT_KEY);
  const licenses = await readFile(join(one, 'dist/extension/licenses.md'), 'utf8');
  for (const name of ['preact', 'zod', '@noble/secp256k1', 'webextension-polyfill', '@scure/bip32'])
    expect(licenses).toMatch(new RegExp(`^## ${name} - `, 'm'));
  for (const place of ['extension', 'firefox'])
    for (const file of await filesOf(join(one, 'dist', place)))
      for (const path of [folder, ROOT])
        expect(await readFile(file, 'latin1'), file).not.toContain(path.replace(/\/$/, ''));
});

async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
