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

describe('a body that doesn’t match its schema', () => {
  it('the rejection names invalid members by their paths', () => {
    expect(messageOf({ outputs: [{ amount: '1' }, { amount: 1 }] })).toMatch(/: label, outputs\.1\.amount\.$/);
  });

  it('the rejection names unknown members only if their names are plain, so other input isn’t echoed', () => {
    const given = { label: '', outputs: [{ amount: '1', note: '' }], '<b>': 1, [`a${'b'.repeat(100)}`]: 1, 'a b': 1 };
    expect(messageOf(given)).toMatch(/: outputs\.0\.note\.$/);
  });

  it('the rejection names at most ten members', () => {
    const given = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`m${i}`, 1]));
    expect(messageOf({ label: '', outputs: [], ...given }).match(/m\d+/g)).toHaveLength(10);
  });

  it('gets only a general rejection if it isn’t an object', () => {
    for (const body of [undefined, null, 7, '<b>', []]) expect(messageOf(body)).not.toMatch(/[:<]/);
  });
});
