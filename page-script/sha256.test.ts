import { sha256 as noble } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

test('the hash equals that of @noble/hashes for every length that fits into one block', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 55 }), (bytes) => {
      expect(sha256(bytes)).toEqual(noble(bytes));
    }),
    { numRuns: 500 },
  );
  for (let length = 0; length <= 55; length += 1)
    expect(sha256(new Uint8Array(length).fill(255))).toEqual(noble(new Uint8Array(length).fill(255)));
});
