/** A full disk in the middle of a payment. disk-full.full.test.ts fills it at every write. */
import { expect, test } from 'vitest';
import { payOnFullDisk } from './testing-disk-full.ts';

const FROM = 4;

test('a payment reserves nothing, names the cause and is made at most once if the disk fills up', async () => {
  expect(await payOnFullDisk(FROM, 'approved')).toBeGreaterThanOrEqual(FROM);
});
