/**
 * Tests payments during crashes: the service worker stops at every nth `await` between the page's request and the
 * confirming block, and a new worker continues from the same database.
 */
import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../testkit/network/network.ts';
import { run, type How } from './testing-crash.ts';

/** Every nth crash point is tested. */
const STRIDE = 12;
/** The stride for runs with failing broadcasts and for runs with two crashes. */
const FAULTY_STRIDE = 46;

const RUNS = 6;

/** Returns a generator of pseudorandom integers from 0 to `n` - 1 (linear congruential, Park and Miller). */
function dice(seed: number): (n: number) => number {
  let state = (seed * 48_271 + 11) % 2_147_483_647;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
}

/**
 * Runs `once` for every stride-th crash point until there are no more. Reports the crash points that failed.
 * @param first differs between kinds of payment so that they test different points in their common code
 */
async function forEveryCrashPoint(stride: number, once: (n: number) => Promise<number>, first = 1): Promise<number> {
  const failures: string[] = [];
  let tried = 0;
  for (let n = first % stride || stride, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += stride) {
    try {
      const reached = await once(n);
      if (reached < n) crashPoints = reached;
      tried += 1;
    } catch (error) {
      failures.push(`crash point ${n}: ${(error as Error).message}`);
      if (failures.length > 5) break;
    }
  }
  expect(failures).toEqual([]);
  return tried;
}

describe('there is one transaction, and no coin is lost, if the worker is stopped', () => {
  test('a page’s payment is made once after a stop at any crash point', async () => {
    expect(await forEveryCrashPoint(STRIDE, (n) => run([n]))).toBeGreaterThan(30 / STRIDE);
  });

  test('a payment from an allowance is made once after a stop at any crash point', async () => {
    expect(await forEveryCrashPoint(STRIDE, (n) => run([n], [], 'automatic'), 5)).toBeGreaterThan(20 / STRIDE);
  });

  test('a payment by the user is made once after a stop at any crash point', async () => {
    expect(await forEveryCrashPoint(STRIDE, (n) => run([n], [], 'sent'), 9)).toBeGreaterThan(20 / STRIDE);
  });

  test('a payment by the user is made once after two stops, with broadcasts that fail', async () => {
    await forEveryCrashPoint(FAULTY_STRIDE, (n) => run([n, 5], ['answer-lost'], 'sent'), 7);
  });

  test('a payment from an allowance is made once after two stops, with broadcasts that fail', async () => {
    await forEveryCrashPoint(FAULTY_STRIDE, (n) => run([n, 5], ['answer-lost'], 'automatic'), 18);
  });

  test.each<[Fault[], first: number]>([
    [['answer-lost'], 1],
    [['409-taken'], 12],
    [['refused', '500'], 23],
    [[466, '409'], 34],
  ])('a payment is made once after a stop at any crash point, with broadcasts that get %j', async (faults, first) => {
    expect(await forEveryCrashPoint(FAULTY_STRIDE, (n) => run([n], faults), first)).toBeGreaterThan(50 / FAULTY_STRIDE);
  });

  test('a payment is made once after two stops', async () => {
    let seed = 7;
    await forEveryCrashPoint(
      FAULTY_STRIDE,
      (n) => {
        seed = (seed * 75 + 74) % 65_537;
        return run([n, (seed % 25) + 1, (seed % 13) + 3]);
      },
      29,
    );
  });

  test(
    `a payment is made once after up to four stops between writes, on a faulty network: ${RUNS} random runs`,
    async () => {
      const kinds: Fault[] = ['refused', 'answer-lost', '500', '409-taken', '409', 461, 462, 466];
      for (let seed = 1; seed <= RUNS; seed += 1) {
        const roll = dice(seed);
        const deaths = Array.from({ length: 1 + roll(4) }, () => 1 + roll(60));
        const faults = Array.from({ length: roll(4) }, () => kinds[roll(kinds.length)] as Fault);
        const how = (['approved', 'automatic', 'sent'] as const)[roll(3)] as How;
        const slowProofs = roll(3);
        await run(deaths, faults, how, slowProofs).catch((cause: Error) => {
          throw new Error(
            `seed ${seed}, ${how}, deaths ${deaths}, faults ${faults}, ${slowProofs} slow proofs: ${cause.message}`,
            { cause },
          );
        });
      }
    },
    30_000 + RUNS * 10_000,
  );
});
