/** The disk fills up in the middle of a payment. disk-full.full.test.ts covers every third write. */
import { expect, test } from 'vitest';
import { payOnFullDisk } from './testing-disk-full.ts';

test.each([
  ['before the approval', 4],
  ['after the approval', 12],
])(
  'a payment reserves nothing, reports the cause and is made at most once if the disk fills up %s',
  async (_, from) => {
    expect(await payOnFullDisk(from, 'approved')).toBeGreaterThanOrEqual(from);
  },
);
