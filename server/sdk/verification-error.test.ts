import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('docs/guides/verify-payments.md lists all codes', () => {
  const [, union] = /type VerificationCode =([^;]+);/.exec(readFileSync('server/sdk/verification-error.ts', 'utf8'))!;
  const table = readFileSync('docs/guides/verify-payments.md', 'utf8')
    .split('\n\n')
    .find((block) => block.startsWith('| code |'))!;
  const listed = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, code]) => code);
  expect(listed).toEqual([...union!.matchAll(/'([^']+)'/g)].map(([, code]) => code));
});
