import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandFor, slowestFiles } from './run-reporter.ts';

test('the command for one test survives the shell and matches only its title', () => {
  const title = "doesn't match (a.b) or [R-12] $HOME `x`";
  const command = commandFor('e2e/payment.test.ts', title);
  const words = execFileSync('sh', ['-c', command.replace('npm test --', 'printf "%s\\n"')], { encoding: 'utf8' });
  const [path, option, pattern] = words.trimEnd().split('\n');
  expect([path, option]).toEqual(['e2e/payment.test.ts', '-t']);
  expect(title).toMatch(new RegExp(`^${pattern}$`));
});

test('the slowest files come first, with their seconds', () => {
  expect(slowestFiles('900 a.test.ts\n12345 b.test.ts\n1000 c.test.ts\n', 2)).toBe(
    '   12.3 s  b.test.ts\n    1.0 s  c.test.ts',
  );
});
