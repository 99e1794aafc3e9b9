/**
 * How an amount is spread over the outputs of a destination, so that a payment does not show its size in one number.
 * Pure.
 */
import { randomBytes } from 'node:crypto';

/** No output is smaller, where there are several: it would cost more than it hides. */
const LEAST = 1_000n;

/** How many outputs an amount (satoshis) gets. */
function partsOf(satoshis: bigint): number {
  return satoshis < 10_000n ? 1 : satoshis < 1_000_000n ? 2 : satoshis < 100_000_000n ? 3 : 4;
}

/** Random parts of an amount that sum to it exactly, none below 1,000 satoshis where there is more than one. */
export function splitAmount(satoshis: bigint): bigint[] {
  const count = partsOf(satoshis);
  const spare = satoshis - LEAST * BigInt(count);
  // Cuts at random places, in order: what lies between them are the parts.
  const cuts = Array.from({ length: count - 1 }, () => randomBelow(spare + 1n)).sort((a, b) =>
    a < b ? -1 : a > b ? 1 : 0,
  );
  if (count === 1) return [satoshis];
  return [...cuts, spare].map((cut, i) => LEAST + cut - (i === 0 ? 0n : (cuts[i - 1] as bigint)));
}

/**
 * A random whole number from 0 to below `limit`, which is far below 2^64: of 128 bits, what is left over favours none.
 */
function randomBelow(limit: bigint): bigint {
  return BigInt(`0x${randomBytes(16).toString('hex')}`) % limit;
}
