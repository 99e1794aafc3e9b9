/** Builds the product for tests if something has changed. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** All files and folders that the build reads. */
export const SOURCES = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs',
  'examples',
  'extension',
  'look',
  'page-script',
  'protocol',
  'scripts',
  'server/web',
  'tooling',
  'wallet',
  'manifest.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
  'vite.button.config.ts',
];
const RESULTS = 'dist';
const STAMP = 'node_modules/.built';

/**
 * Builds if the sources, the output, the service, the key or the Node version have changed since the previous build.
 * @returns true if it built
 * @param serviceUrl the service (an origin) that a new wallet uses
 */
export async function buildWhereStale(
  serviceUrl: string,
  build: (serviceUrl: string) => Promise<unknown>,
  root: string = process.cwd(),
): Promise<boolean> {
  const stamp = join(root, STAMP);
  const now = () =>
    [
      fingerprint(root, SOURCES, (path) => !/\.test\.tsx?$/.test(path)),
      fingerprint(root, [RESULTS]),
      serviceUrl,
      process.env.EXTENSION_KEY ?? '',
      process.version,
    ].join('\n');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now()) return false;
  await build(serviceUrl);
  writeFileSync(stamp, now());
  return true;
}

function fingerprint(root: string, places: readonly string[], counts: (path: string) => boolean = () => true): string {
  const hash = createHash('sha256');
  const files = places.flatMap((place) => {
    const full = join(root, place);
    if (!existsSync(full)) return [];
    if (statSync(full).isFile()) return [full];
    const below = readdirSync(full, { recursive: true, withFileTypes: true });
    return below.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  });
  for (const file of files.filter(counts).sort()) {
    const content = readFileSync(file);
    hash.update(`${file.slice(root.length)}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
