import { expect, it } from 'vitest';
import { inUsd, sumsOf } from './sums.ts';

it('what a payment moves is known as far as its report said what the inputs hold', () => {
  const of = (inputSatoshis: bigint | null, outputSatoshis: bigint | null) =>
    sumsOf({ satoshis: 200_000n, inputSatoshis, outputSatoshis });
  expect(of(1_000_000n, 999_900n)).toEqual({ input: 1_000_000n, spend: 200_100n, fee: 100n, change: 799_900n });
  // No change, and no fee: nothing is not the same as not known.
  expect(of(200_000n, 200_000n)).toEqual({ input: 200_000n, spend: 200_000n, fee: 0n, change: 0n });
  expect(of(null, 999_900n)).toEqual({ input: null, spend: null, fee: null, change: 799_900n });
  expect(of(1_000_000n, null)).toEqual({ input: 1_000_000n, spend: null, fee: null, change: null });
});

it('in dollars it is what it was at the rate of then, null where that or the sum is not known', () => {
  expect([inUsd(200_000n, '50'), inUsd(0n, '50'), inUsd(null, '50'), inUsd(200_000n, null)]).toEqual([
    '0.10',
    '0.00',
    null,
    null,
  ]);
});
