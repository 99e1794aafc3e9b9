/** Tests an allowance over time, with debits, refunds and new terms. */
import { describe, expect, test } from 'vitest';
import {
  at,
  credited,
  debited,
  debitedAgain,
  keyOf,
  leftOf,
  newAllowance,
  withTerms,
  type Allowance,
  type Terms,
} from './allowance.ts';
import { periodOf } from './period.ts';

/** Noon on a Wednesday that starts neither a week nor a month, in any time zone. */
const NOW = new Date(2026, 6, 15, 12).getTime();
const DAY_MS = 86_400_000;
const terms: Terms = { currency: 'USD', limit: 100n, perPayment: 20n, period: 'week', ceiling: null };
const fresh = newAllowance(['https://shop.example', 'app', 'automatic'], terms, 'token', NOW);
const used: Allowance = { ...fresh, spent: 30n, spentSatoshis: 300n, totalSpent: 70n, payments: 4, usedAt: NOW - 1 };
const period = ({ periodStart, resetsAt, spent, spentSatoshis }: Allowance) => ({
  periodStart,
  resetsAt,
  spent,
  spentSatoshis,
});

describe('an allowance', () => {
  test('an allowance starts with the current period and nothing spent', () => {
    const { start, end } = periodOf('week', NOW);
    expect(fresh).toEqual({
      ...terms,
      origin: 'https://shop.example',
      clientIdentifier: 'app',
      kind: 'automatic',
      id: 'token',
      periodStart: start,
      resetsAt: end,
      spent: 0n,
      spentSatoshis: 0n,
      totalSpent: 0n,
      payments: 0,
      createdAt: NOW,
      usedAt: null,
    });
    expect(keyOf(fresh)).toEqual(['https://shop.example', 'app', 'automatic']);
  });

  test('an allowance has its full limit again after the end of the period', () => {
    expect(at(used, used.resetsAt - 1)).toBe(used);
    expect(at(used, used.resetsAt)).toEqual({
      ...used,
      periodStart: used.resetsAt,
      resetsAt: periodOf('week', used.resetsAt).end,
      spent: 0n,
      spentSatoshis: 0n,
      otherPeriods: [period(used)],
    });
  });

  test('the remaining amount of an allowance is the unspent rest, and never less than zero', () => {
    expect([used, { ...used, spent: 100n }, { ...used, spent: 101n }].map(leftOf)).toEqual([70n, 0n, 0n]);
  });
});

describe('a payment', () => {
  const cost = { units: 5n, satoshis: 50n };

  test('a payment counts in the period, in total, and in satoshis', () => {
    const after = { ...used, spent: 35n, spentSatoshis: 350n, totalSpent: 75n, payments: 5 };
    expect(debited(used, cost, NOW)).toEqual({ ...after, usedAt: NOW });
    expect(debitedAgain(used, cost, used.periodStart)).toEqual(after);
  });

  test('a refunded payment no longer counts', () => {
    expect(credited(debited(used, cost, NOW), cost, used.periodStart)).toEqual({ ...used, usedAt: NOW });
  });

  test('a payment from another period counts only in total when it is debited again or refunded', () => {
    expect(debitedAgain(used, cost, used.periodStart - 1)).toEqual({ ...used, totalSpent: 75n, payments: 5 });
    expect(credited(used, cost, used.periodStart - 1)).toEqual({ ...used, totalSpent: 65n, payments: 3 });
  });

  test('a refund is at most the spent amount', () => {
    const most = { units: 31n, satoshis: 301n };
    expect(credited({ ...used, totalSpent: 30n, payments: 0 }, most, used.periodStart)).toEqual({
      ...used,
      spent: 0n,
      spentSatoshis: 0n,
      totalSpent: 0n,
      payments: 0,
    });
  });
});

describe('a clock that was wrong', () => {
  const cost = { units: 5n, satoshis: 50n };
  const year = NOW + 365 * DAY_MS;
  const ahead = debited(at(used, year), cost, year);

  test('a wrong clock doesn’t renew the limit: the period includes its own payments and those made while the clock was ahead', () => {
    expect(ahead).toMatchObject({ spent: 5n, spentSatoshis: 50n });
    const { periodStart, resetsAt } = used;
    const back = at(ahead, NOW);
    expect(back).toMatchObject({ periodStart, resetsAt, spent: 35n, spentSatoshis: 350n, totalSpent: 75n });
    // The payment made while the clock was ahead doesn't count toward the next period.
    expect(at(back, resetsAt)).toMatchObject({ spent: 0n, spentSatoshis: 0n });
  });

  test('a clock that was behind, or is ahead again, doesn’t renew the limit', () => {
    expect(at(at(used, NOW - 365 * DAY_MS), NOW)).toMatchObject(period(used));
    expect(at(at(ahead, NOW), year)).toMatchObject(period(ahead));
  });

  test('a payment made while the clock was ahead is refunded in the wrong period, and counts fully if it is debited again', () => {
    const back = at(ahead, NOW);
    const refunded = credited(back, cost, ahead.periodStart);
    expect(refunded).toMatchObject({ spent: 35n, totalSpent: 70n });
    expect(at(refunded, year)).toMatchObject({ spent: 0n, spentSatoshis: 0n });
    const before = at(credited(ahead, cost, ahead.periodStart), NOW);
    expect(before).toMatchObject({ spent: 30n });
    const again = debitedAgain(before, cost, ahead.periodStart);
    expect(again).toMatchObject({ spent: 35n, spentSatoshis: 350n, totalSpent: 75n });
    expect(at(again, year)).toMatchObject({ spent: 5n, spentSatoshis: 50n });
  });

  test('a limited number of the latest periods is stored', () => {
    let one: Allowance = used;
    for (let weeks = 1; weeks <= 20; weeks += 1) one = at(one, NOW + weeks * 7 * DAY_MS);
    expect(one.otherPeriods).toHaveLength(12);
    expect(one.otherPeriods?.[0]?.resetsAt).toBe(one.periodStart);
  });
});

describe('changed terms', () => {
  const { currency: _, ...more } = { ...terms, limit: 500n, perPayment: null };

  test('changed terms keep the spent amount in the same kind of period', () => {
    expect(withTerms(used, more, NOW)).toEqual({ ...used, ...more });
    const later = used.resetsAt + DAY_MS;
    expect(withTerms(used, more, later)).toEqual({ ...at(used, later), ...more });
  });

  test('changed terms keep the announced period, even if it began at a different midnight', () => {
    const elsewhere = { ...used, periodStart: used.periodStart - 3, resetsAt: used.resetsAt - 3 };
    expect(withTerms(elsewhere, more, NOW)).toEqual({ ...elsewhere, ...more });
  });

  test('changed terms start with nothing spent in another kind of period', () => {
    const { start, end } = periodOf('day', NOW);
    expect(withTerms(used, { ...more, period: 'day' }, NOW)).toEqual({
      ...used,
      ...more,
      period: 'day',
      periodStart: start,
      resetsAt: end,
      spent: 0n,
      spentSatoshis: 0n,
    });
  });

  test('changed terms keep the spent amount in a period that starts at the same moment, with its own end', () => {
    const { start: monday } = periodOf('week', NOW);
    expect(withTerms(used, { ...more, period: 'day' }, monday)).toEqual({
      ...used,
      ...more,
      period: 'day',
      resetsAt: periodOf('day', monday).end,
    });
  });
});
