/** Tests how long retries trigger a warning about a payment that was accepted late. */
import { expect, test } from 'vitest';
import type { PaymentRecord } from '../record.ts';
import { PATIENCE_ATTEMPTS } from '../move.ts';
import { isAcceptedLate, markOfLate } from './taken-late.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const DAY_MS = 24 * 3600_000;
const record = (more: Partial<PaymentRecord>) =>
  ({ state: 'settled', height: 9, createdAt: Date.now(), broadcast: { attempts: 3, problem: null }, ...more }) as never;
const rejected = { attempts: 1, nextAt: 0, problem: 'network-rejected' } as const;

test('a payment that was accepted late has a warning for a day, or until the user has seen the payment', () => {
  const [height, dayOfBlocks] = [9, 144];
  expect(isAcceptedLate(wallet, record({ takenLate: true }), height + dayOfBlocks)).toBe(true);
  for (const createdAt of [Date.now() - DAY_MS, Date.now() + 2 * DAY_MS])
    expect(isAcceptedLate(wallet, record({ takenLate: true, createdAt }), height + dayOfBlocks)).toBe(false);
  expect(isAcceptedLate(wallet, record({ takenLate: true, knownPaid: true }), height)).toBe(false);
  expect(isAcceptedLate(wallet, record({}), height)).toBe(false);
});

test('a clock that jumps ahead does not end the warning', () => {
  const createdAt = Date.now() - 366 * DAY_MS;
  expect(isAcceptedLate(wallet, record({ takenLate: true, createdAt }), 9 + 143)).toBe(true);
});

test('an accepted but unconfirmed payment has a warning if its page got a different result', () => {
  const contested = (attempts: number) => ({ attempts, nextAt: 0, problem: 'payment-contested' }) as const;
  expect(isAcceptedLate(wallet, record({ height: null, broadcast: rejected }), 9)).toBe(true);
  expect(isAcceptedLate(wallet, record({ height: null, broadcast: contested(PATIENCE_ATTEMPTS) }), 9)).toBe(true);
  expect(isAcceptedLate(wallet, record({ height: null, broadcast: contested(PATIENCE_ATTEMPTS - 1) }), 9)).toBe(false);
  expect(isAcceptedLate(wallet, record({ height: null, state: 'signed', broadcast: rejected }), 9)).toBe(false);
});

test('a rejected payment has a warning and is marked as accepted late even if its last attempt had another problem', () => {
  const broadcast = { attempts: 1, nextAt: 0, problem: 'network-unavailable' };
  expect(isAcceptedLate(wallet, record({ height: null, broadcast, wasRejected: true }), 9)).toBe(true);
  expect(markOfLate(record({ broadcast, wasRejected: true }))).toEqual({ takenLate: true });
});

test('cancellations, sweeps and actions are never marked as accepted late', () => {
  expect(markOfLate(record({ broadcast: rejected }))).toEqual({ takenLate: true });
  for (const more of [{ cancel: true }, { sweep: true }, { action: {} }])
    expect(markOfLate(record({ broadcast: rejected, wasRejected: true, ...more } as never))).toEqual({});
});
