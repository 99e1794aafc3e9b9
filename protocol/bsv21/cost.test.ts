import { expect, test } from 'vitest';
import { readInscription } from './inscription.ts';
import { mentionsToken } from './token.ts';

test('inscriptions are looked for in ten million opcodes without a copy of any', () => {
  expect(readInscription(new Uint8Array(10_000_000).fill(0x61))).toBeNull();
  expect(mentionsToken(new Uint8Array(10_000_000).fill(0x61))).toBe(false);
});
