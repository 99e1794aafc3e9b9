/** Tests a disk that fills up in the middle of a payment. disk-full.full.test.ts tests every third write. */
import { expect, test } from 'vitest';
import { payOnFullDisk } from './testing-disk-full.ts';

test.each([
  ['before the approval', 4, 'disk-full'],
  ['after the approval', 12, 'disk-full'],
  ['after the payment is signed', 30, 'payment-pending'],
])(
  'a payment reserves nothing, reports the cause and is made at most once if the disk fills up %s',
  async (_, from, code) => {
    const { writes, told } = await payOnFullDisk(from, 'approved');
    expect(writes).toBeGreaterThanOrEqual(from);
    expect(told).toBe(code);
  },
);
