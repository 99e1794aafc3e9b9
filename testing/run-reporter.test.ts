import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pictureName, picturesOf } from './pictures.ts';
import { commandFor, entry, slowestFiles } from './run-reporter.ts';

test('the command for one test survives the shell and matches only its title', () => {
  const title = "doesn't match (a.b) or [R-12] $HOME `x`";
  const command = commandFor('e2e/payments/payment.test.ts', title);
  const words = execFileSync('sh', ['-c', command.replace('npm test --', 'printf "%s\\n"')], { encoding: 'utf8' });
  const [path, option, pattern] = words.trimEnd().split('\n');
  expect([path, option]).toEqual(['e2e/payments/payment.test.ts', '-t']);
  expect(title).toMatch(new RegExp(`^${pattern}$`));
});

test('the slowest files come first, with their seconds', () => {
  expect(slowestFiles('900 a.test.ts\n12345 b.test.ts\n1000 c.test.ts\n', 2)).toBe(
    '   12.3 s  b.test.ts\n    1.0 s  c.test.ts',
  );
});

test('the report of a failure is plain text with the command and the screenshots', () => {
  const error = { message: 'expected 1 to be 2', diff: '\u001B[32mExpected: 2\u001B[39m' };
  expect(entry('e2e/a.test.ts > pays', [error], { command: 'npm test -- e2e/a.test.ts', pictures: ['a-0.png'] })).toBe(
    [
      'FAILED e2e/a.test.ts > pays',
      '  expected 1 to be 2',
      '  Expected: 2',
      '  Screenshot: a-0.png',
      '  Run only this test: npm test -- e2e/a.test.ts',
      '',
    ].join('\n'),
  );
});

test('the screenshots of a test are found, and not those of a test with a longer title', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = pictureName('e2e/a.test.ts pays (twice)');
  for (const name of [`${own}-1`, `${own}-0`, pictureName('e2e/a.test.ts pays (twice) and waits') + '-0'])
    writeFileSync(join(folder, `${name}.png`), '');
  expect(picturesOf('e2e/a.test.ts pays (twice)', folder)).toEqual([
    `${folder}/${own}-0.png`,
    `${folder}/${own}-1.png`,
  ]);
});
