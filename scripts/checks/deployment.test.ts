/** Tests that settings and errors in the operators' documents and in the deployment files match the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { DEFAULTS, VARIABLES } from '../../server/config.ts';
import { START_ERROR_CODES } from '../../server/database/embedded/start-error.ts';
import * as schema from '../../server/database/schema.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('the table of settings lists exactly the existing variables with their defaults', () => {
  const rows = [...read('docs/reference/settings.md').matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\| \S.*\|$/gm)].map(
    ([, name = '', value]) => [name, value],
  );
  expect(new Map(rows as [string, string | undefined][])).toEqual(
    new Map(VARIABLES.map((name) => [name, DEFAULTS[name]])),
  );
  expect(rows).toHaveLength(VARIABLES.length);
});

test.each(['deploy/service-button.service', 'Dockerfile'])('%s sets only variables that the service reads', (path) => {
  const named = [...read(path).matchAll(/^(?:ENV|Environment=|ARG) ?(.*)$/gm)].flatMap(([, line = '']) =>
    [...line.matchAll(/([A-Z_]+)=?/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(1);
  // Settings that Node and the build read.
  const others = ['NODE_ENV', 'EXTENSION_KEY'];
  expect([...new Set(named)].filter((name) => !others.includes(name) && !VARIABLES.includes(name))).toEqual([]);
});

test('docs/operate/deploy.md has an action for every error code of a failed start', () => {
  const rows = [...read('docs/operate/deploy.md').matchAll(/^\| `([a-z-]+)` \| \S.*\|$/gm)].map(
    ([, code = '']) => code,
  );
  expect(START_ERROR_CODES.filter((code) => !rows.includes(code))).toEqual([]);
});

test('the image contains every folder that the service reads', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(([, path]) => path);
  for (const folder of ['protocol', 'server', 'look', 'dist', 'docs/pictures', 'node_modules'])
    expect(copied).toContain(folder);
});

test('docs/scaling.md assigns every table’s rows to a location', () => {
  const rows = read('docs/scaling.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.toSorted()).toEqual(
    Object.values(schema)
      .filter((value) => is(value, PgTable))
      .map((table) => getTableName(table as PgTable))
      .toSorted(),
  );
});
