/**
 * Tests payments on a disk that becomes full at the nth write, for every third n. disk-full.test.ts tests three cases.
 */
import { describe, expect, test } from 'vitest';
import { payOnFullDisk, type How } from './testing-disk-full.ts';

/** Exceeds the number of writes in a payment, so nothing fails in the last cases. */
const MAX_WRITES = 48;
const STRIDE = 3;

describe.each<How>(['approved', 'automatic', 'sent'])('a payment (%s)', (how) => {
  test.each(Array.from({ length: MAX_WRITES / STRIDE }, (_, i) => 1 + STRIDE * i))(
    'a payment reserves nothing, reports the cause and is made at most once if the disk is full from write %i on',
    async (from) => {
      expect((await payOnFullDisk(from, how)).writes).toBeGreaterThan(0);
    },
  );
});
