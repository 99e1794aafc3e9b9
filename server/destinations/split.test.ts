import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitAmount } from './split.ts';

test('an amount is split into one to four parts that sum exactly to it, each at least 1,000 satoshis if there are several', () => {
  const amount = fc.oneof(
    fc.bigInt(1n, 2_100_000_000_000_000n),
    fc.constantFrom(1n, 9_999n, 10_000n, 999_999n, 1_000_000n, 99_999_999n, 100_000_000n, 2_100_000_000_000_000n),
  );
  fc.assert(
    fc.property(amount, (satoshis) => {
      const parts = splitAmount(satoshis);
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(satoshis);
      expect(parts.length).toBe(satoshis < 10_000n ? 1 : satoshis < 1_000_000n ? 2 : satoshis < 100_000_000n ? 3 : 4);
      expect(parts.length === 1 || parts.every((part) => part >= 1_000n)).toBe(true);
    }),
  );
});

test('equal amounts get unequal parts', () => {
  expect(new Set(Array.from({ length: 20 }, () => splitAmount(100_000_000n).join())).size).toBe(20);
});
