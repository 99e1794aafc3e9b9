import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { questions } from './words-check.ts';

const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(' ');

test('each of three different positions offers the right word among four different ones of the phrase', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const random = (n: number) => (numbers.next().value as number) % n;
      const asked = questions(phrase, 3, random);
      expect(new Set(asked.map((q) => q.position)).size).toBe(3);
      for (const { position, options } of asked) {
        expect(options).toContain(phrase[position]);
        expect(new Set(options).size).toBe(4);
        expect(options.every((word) => phrase.includes(word))).toBe(true);
      }
    }),
  );
});
