import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Finding {
  code: string;
  message: string;
  file: string;
}

const root = fileURLToPath(new URL('../', import.meta.url));

test('the package passes addons.mozilla.org’s linter (web-ext lint) with one known warning', () => {
  const linter = spawnSync(
    process.execPath,
    ['node_modules/addons-linter/bin/addons-linter', 'dist/firefox', '--output', 'json'],
    { cwd: root, encoding: 'utf8' },
  );
  expect(linter.stdout, linter.stderr).toMatch(/^\{/);
  const { errors, notices, warnings } = JSON.parse(linter.stdout) as Record<
    'errors' | 'notices' | 'warnings',
    Finding[]
  >;
  expect([errors, notices]).toEqual([[], []]);
  // Preact's dangerouslySetInnerHTML. No component uses it, and Trusted Types would reject it.
  expect(warnings.map(({ code, message, file }) => [code, message, file.replace(/[\w-]+\.js$/, '')])).toEqual([
    ['UNSAFE_VAR_ASSIGNMENT', 'Unsafe assignment to innerHTML', 'assets/'],
  ]);
});
