import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAsm, OPCODES } from './opcodes.ts';

const isWord = (word: string) => isAsm(`OP_NOP ${word}`);

test('every opcode of the table is a word, and a script by itself', () => {
  expect(OPCODES.size).toBe(117);
  for (const word of OPCODES.keys()) {
    expect(isWord(word), word).toBe(true);
    expect(isAsm(word), word).toBe(word.startsWith('OP_'));
  }
});

test('no other word is an opcode', () => {
  const pieces = [
    ...new Set(
      [...OPCODES.keys()].flatMap(
        (word) =>
          word.match(
            /\d+|VERIFY|NOT|IF|EQUAL|BOOL|NUM|MULTI|SIG|THAN|OR|AND|NOP|[A-Z]+?(?=VERIFY|EQUAL|IF|THAN)|[A-Z]+$/g,
          ) ?? [],
      ),
    ),
  ];
  const likely = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 })
    .map((parts) => `OP_${parts.join('')}`);
  const near = fc
    .tuple(fc.constantFrom(...OPCODES.keys()), fc.nat(20), fc.constantFrom('', ...'0123456789ABDEIOSTVY_-'))
    .map(([word, at, letter]) => word.slice(0, at) + letter + word.slice(at + 1));
  fc.assert(
    fc.property(fc.oneof(likely, near), (word) => {
      fc.pre(!/^(?:[\da-f]{2})+$/i.test(word));
      expect(isWord(word), word).toBe(OPCODES.has(word));
    }),
    { numRuns: 20_000 },
  );
});
