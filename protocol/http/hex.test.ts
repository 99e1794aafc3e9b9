import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Parses ten million bytes with each parser, and malformed input with the schemas. */
const PROGRAM = `
import { isHex } from './protocol/bitcoin/bytes.ts';
import { isHexScript } from './protocol/bitcoin/opcodes.ts';
import { hex, lowerCaseHex } from './protocol/http/hex.ts';
const digits = 'ab'.repeat(10_000_000);
const isTaken = (text) => [hex, lowerCaseHex].map((schema) => schema(20_000_000).safeParse(text).success);
console.log(JSON.stringify([
  isTaken(digits), isTaken(digits.slice(1)), isTaken(digits.slice(1) + 'x'), isTaken('AB'), isTaken(''),
  isHexScript(digits), isHex(digits),
]));`;

test('a process that no longer optimizes regular expressions accepts ten million bytes in hexadecimal', () => {
  // V8 sets this option on its own when a process has compiled about a megabyte of regular expressions.
  const options = ['--no-regexp-optimization', '--import', 'tsx', '--input-type=module', '-e', PROGRAM];
  const { stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([
    [true, true],
    [false, false],
    [false, false],
    [true, false],
    [false, false],
    true,
    true,
  ]);
});
