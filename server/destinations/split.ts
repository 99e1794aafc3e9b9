/** Splits an amount across several outputs so that no single value reveals a payment's size. Pure. */
import { randomBytes } from 'node:crypto';

/** Minimum satoshis per output if an amount is split. A smaller output would cost more than the privacy is worth. */
const MIN_OUTPUT_SATOSHIS = 1_000n;

function partsOf(satoshis: bigint): number {
  return satoshis < 10_000n ? 1 : satoshis < 1_000_000n ? 2 : satoshis < 100_000_000n ? 3 : 4;
}

/** Splits an amount into random parts of at least 1,000 satoshis each, or returns it whole if it is small. */
export function splitAmount(satoshis: bigint): bigint[] {
  const count = partsOf(satoshis);
  const spare = satoshis - MIN_OUTPUT_SATOSHIS * BigInt(count);
  // The parts are the distances between sorted random cuts.
  const cuts = Array.from({ length: count - 1 }, () => randomBelow(spare + 1n)).sort((a, b) =>
    a < b ? -1 : a > b ? 1 : 0,
  );
  if (count === 1) return [satoshis];
  return [...cuts, spare].map((cut, i) => MIN_OUTPUT_SATOSHIS + cut - (i === 0 ? 0n : (cuts[i - 1] as bigint)));
}

/** Returns a random integer in [0, limit). The limit is so far below 2^64 that the modulo bias is negligible. */
function randomBelow(limit: bigint): bigint {
  return BigInt(`0x${randomBytes(16).toString('hex')}`) % limit;
}
