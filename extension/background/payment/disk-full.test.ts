/** A full disk in the middle of a payment. disk-full.full.test.ts fills it at every write. */
import { expect, test } from 'vitest';
import { payOnFullDisk } from './testing-disk-full.ts';

test('a payment reserves nothing, names the cause and is made at most once if the disk fills up before its last writes', async () => {
  const writes = await payOnFullDisk(Number.POSITIVE_INFINITY, 'approved');
  for (const share of [0.3, 0.6])
    // oxlint-disable-next-line no-await-in-loop -- they share the network
    await payOnFullDisk(Math.ceil(writes * share), 'approved');
  expect(writes).toBeGreaterThan(5);
});
