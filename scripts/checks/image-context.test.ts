/** Tests that the container image is built only from the repository's files. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const lines = (path: string) =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .map((line) => line.trim().replace(/\/$/, ''))
    .filter(Boolean);

test('files that git ignores stay out of the image: builds, data, logs, and installed packages', () => {
  // Patterns in .dockerignore are relative to the root, unlike patterns in .gitignore.
  const ignored = lines('.dockerignore').map((pattern) => pattern.replace(/^\*\*\//, ''));
  expect(lines('.gitignore').filter((pattern) => !ignored.includes(pattern))).toEqual([]);
});

test('every file that the image copies from its context or its build exists', () => {
  const made = ['/app/node_modules', '/app/dist'];
  const copied = lines('Dockerfile').flatMap(
    (line) => /^COPY (?:--from=build )?(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [],
  );
  const places = copied.filter((path) => !made.includes(path)).map((path) => path.replace(/^\/app\//, ''));
  expect(places.length).toBeGreaterThan(5);
  expect(places.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  // All packages must be in the lock file, with their hashes.
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string; link?: boolean }>;
  };
  const unpinned = Object.entries(packages).filter(([place, { integrity }]) => place !== '' && !integrity);
  expect(unpinned.map(([place]) => place)).toEqual([]);
});
