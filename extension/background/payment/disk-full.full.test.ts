/** A full disk at every write of a payment. disk-full.test.ts makes the ones that decide. */
import { expect, test } from 'vitest';
import { payOnFullDisk, type How } from './testing-disk-full.ts';

test.each<How>(['approved', 'automatic', 'sent'])(
  'a payment (%s) reserves nothing, names the cause and is made at most once if the disk is full at any write',
  async (how) => {
    const writes = await payOnFullDisk(Number.POSITIVE_INFINITY, how);
    expect(writes).toBeGreaterThan(5);
    for (let from = 1; from <= writes; from += 1)
      // oxlint-disable-next-line no-await-in-loop -- they share the network
      await payOnFullDisk(from, how);
  },
);
