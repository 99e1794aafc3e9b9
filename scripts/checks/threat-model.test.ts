import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(join(root, 'docs/threat-model.md'), 'utf8');
const FOLDERS = ['protocol', 'page-script', 'wallet', 'extension', 'server', 'scripts', 'look', 'e2e'];
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
    join(folder, path).replaceAll('\\', '/'),
  ),
);
const found = (name: string) => files.filter((path) => path === name || path.endsWith(`/${name}`));

/** Returns the rows of a table whose last column names a test file and quotes words from one of its test titles. */
const rowsOf = (section: RegExp, head: string) =>
  (section.exec(text)?.[0] ?? '').split('\n').filter((line) => line.startsWith('| ') && !line.startsWith(`| ${head}`));
const attacks = rowsOf(/## Hostile pages[^]*?(?=\n## )/, 'attack');
const dependencies = rowsOf(/### A page's process that hangs[^]*?(?=\n## )/, 'rule');
const named = [...attacks, ...dependencies].flatMap((row) =>
  row
    .replace(/ \|$/, '')
    .split(' | ')
    .at(-1)!
    .split('; ')
    .map((one) => {
      const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(one) ?? [];
      return [file, title, row] as const;
    }),
);

test('each row in the tables of hostile pages and of hangs names a test', () => {
  expect(attacks.length).toBeGreaterThan(25);
  expect(dependencies.length).toBeGreaterThan(10);
  expect(named.filter(([file, title]) => file === '' || title === '').map(([, , row]) => row)).toEqual([]);
});

describe('the threat model', () => {
  test.each(named)('names an existing test of %s: %s', (file, title) => {
    const paths = found(file);
    expect(paths, file).toHaveLength(1);
    expect(readFileSync(join(root, paths[0] as string), 'utf8')).toContain(title);
  });

  test('names only existing test files and folders', () => {
    const names = [...text.matchAll(/`([\w./-]+(?:\.test\.tsx?|\/))`/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(40);
    const lost = names.filter((name) =>
      name.endsWith('/')
        ? !statSync(join(root, name), { throwIfNoEntry: false })?.isDirectory()
        : found(name).length === 0,
    );
    expect(lost).toEqual([]);
  });
});
