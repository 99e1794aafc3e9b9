import { afterEach, expect, test, vi } from 'vitest';
import { setTime } from '../../testkit/wallet/clock.ts';
import { deliveryOf } from './outbox/deliver.ts';
import type { PaymentRecord } from './record.ts';
import { DAY_MS, FIVE_MINUTES_MS, MINUTE_MS, nextReport, nextTry } from './retry.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const NOW = 1_800_000_000_000;
const IDENTITY = `02${'ab'.repeat(32)}`;

afterEach(() => {
  vi.restoreAllMocks();
});

test('delays double, up to the maximum', () => {
  setTime(NOW);
  const delays = [0, 1, 2, 5, 6, 1000].map((attempts) => nextTry(wallet, { attempts }, null, MINUTE_MS).nextAt - NOW);
  expect(delays).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000]);
});

test.each(['service-unavailable', 'wallet-locked'])(
  'reports with long delays are due together after the error %s',
  (problem) => {
    const times = new Set<number>();
    for (let second = 0; second < 600; second += 1) {
      setTime(NOW + second * 1000);
      const { nextAt } = nextReport(wallet, { attempts: 20 }, problem, IDENTITY);
      expect(nextAt).toBeLessThanOrEqual(Date.now() + FIVE_MINUTES_MS);
      expect(nextAt).toBeGreaterThan(Date.now());
      times.add(nextAt);
    }
    expect(times.size).toBeLessThanOrEqual(3);
    setTime(NOW);
    const others = ['00', '01', 'ff'].map(
      (end) => nextReport(wallet, { attempts: 20 }, problem, `02${end.repeat(32)}`).nextAt,
    );
    expect(new Set(others).size).toBe(3);
    expect(nextReport(wallet, { attempts: 8 }, problem, IDENTITY).nextAt - NOW).toBe(256_000);
    expect(nextReport(wallet, { attempts: 20 }, 'too-many-requests', IDENTITY).nextAt - NOW).toBe(MINUTE_MS);
  },
);

test('a host that is down is retried less and less often, finally once a day, and given up after a month', async () => {
  setTime(NOW);
  const quote = { outputs: [{ host: { origin: 'https://two.example' } }] };
  const after = (attempts: number, age = 0) =>
    deliveryOf(wallet, { approvedAt: NOW - age, quote } as unknown as PaymentRecord, {
      output: 0,
      state: 'waiting',
      attempts,
      nextAt: NOW,
      problem: null,
    }).after({ problem: 'paymail-unavailable', final: false });
  expect(await after(3)).toMatchObject({ state: 'waiting', attempts: 4, nextAt: NOW + 8000 });
  expect(await after(30)).toMatchObject({ state: 'waiting', attempts: 31, nextAt: NOW + DAY_MS });
  // A clock that is a year ahead doesn't end the attempts.
  expect(await after(3, 366 * DAY_MS)).toMatchObject({ state: 'waiting' });
  expect(await after(45, 31 * DAY_MS)).toMatchObject({ state: 'given-up', problem: 'paymail-unavailable' });
});
