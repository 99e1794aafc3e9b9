import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readBody } from './body.ts';

const schema = z.strictObject({ label: z.string(), outputs: z.array(z.strictObject({ amount: z.string() })) });
const messageOf = (body: unknown): string => {
  try {
    readBody(schema, body);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was taken.');
};

describe('a body that is not as its endpoint takes it', () => {
  it('is refused with the members that are wrong, by their paths', () => {
    expect(messageOf({ outputs: [{ amount: '1' }, { amount: 1 }] })).toMatch(/: label, outputs\.1\.amount\.$/);
  });

  it('and those that are not known, if their names are plain: nothing else of the caller’s own is said back', () => {
    const given = { label: '', outputs: [{ amount: '1', note: '' }], '<b>': 1, [`a${'b'.repeat(100)}`]: 1, 'a b': 1 };
    expect(messageOf(given)).toMatch(/: outputs\.0\.note\.$/);
  });

  it('names ten at most', () => {
    const given = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`m${i}`, 1]));
    expect(messageOf({ label: '', outputs: [], ...given }).match(/m\d+/g)).toHaveLength(10);
  });

  it('says no more than that where it is no object', () => {
    for (const body of [undefined, null, 7, '<b>', []]) expect(messageOf(body)).not.toMatch(/[:<]/);
  });
});
