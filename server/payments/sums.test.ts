import { expect, it } from 'vitest';
import { inUsd, sumsOf } from './sums.ts';

it('computes input, spend, fee and change if the report states the inputs', () => {
  const of = (inputSatoshis: bigint | null, outputSatoshis: bigint | null) =>
    sumsOf({ satoshis: 200_000n, inputSatoshis, outputSatoshis });
  expect(of(1_000_000n, 999_900n)).toEqual({ input: 1_000_000n, spend: 200_100n, fee: 100n, change: 799_900n });
  // Without change or a fee, the values are zero, not unknown.
  expect(of(200_000n, 200_000n)).toEqual({ input: 200_000n, spend: 200_000n, fee: 0n, change: 0n });
  expect(of(null, 999_900n)).toEqual({ input: null, spend: null, fee: null, change: 799_900n });
  expect(of(1_000_000n, null)).toEqual({ input: 1_000_000n, spend: null, fee: null, change: null });
});

it('converts sums to dollars at the report’s rate, or to null if either is unknown', () => {
  expect([inUsd(200_000n, '50'), inUsd(0n, '50'), inUsd(null, '50'), inUsd(200_000n, null)]).toEqual([
    '0.10',
    '0.00',
    null,
    null,
  ]);
});
