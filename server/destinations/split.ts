/** Splits an amount over the outputs of a destination, so that no single number shows a payment's size. Pure. */
import { randomBytes } from 'node:crypto';

/** Minimum size of an output if there are several: a smaller one would cost more than it hides. */
const LEAST = 1_000n;

function partsOf(satoshis: bigint): number {
  return satoshis < 10_000n ? 1 : satoshis < 1_000_000n ? 2 : satoshis < 100_000_000n ? 3 : 4;
}

/** Random parts that sum to an amount exactly, none below 1,000 satoshis if there is more than one. */
export function splitAmount(satoshis: bigint): bigint[] {
  const count = partsOf(satoshis);
  const spare = satoshis - LEAST * BigInt(count);
  // Random cuts, in order. The parts are the distances between them.
  const cuts = Array.from({ length: count - 1 }, () => randomBelow(spare + 1n)).sort((a, b) =>
    a < b ? -1 : a > b ? 1 : 0,
  );
  if (count === 1) return [satoshis];
  return [...cuts, spare].map((cut, i) => LEAST + cut - (i === 0 ? 0n : (cuts[i - 1] as bigint)));
}

/** A random integer from 0 to below `limit`. As that is far below 2^64, 128 bits make the modulo bias negligible. */
function randomBelow(limit: bigint): bigint {
  return BigInt(`0x${randomBytes(16).toString('hex')}`) % limit;
}
