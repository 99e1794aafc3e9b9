import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { at, credited, debited, leftOf, newAllowance, withTerms, type Allowance } from './allowance.ts';
import { periodOf, type Period } from './period.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const PERIODS: Period[] = ['day', 'week', 'month'];
const HOUR = 3600_000;
const utc = (text: string) => Date.parse(text);
const local = (time: number) => new Date(time).toString().slice(0, 21);

describe('a period', () => {
  test.each<[string, Period, string, string, string]>([
    ['Europe/Berlin', 'day', '2026-07-01T12:00:00Z', 'Wed Jul 01 2026 00:00', 'Thu Jul 02 2026 00:00'],
    ['Europe/Berlin', 'day', '2026-06-30T22:00:00Z', 'Wed Jul 01 2026 00:00', 'Thu Jul 02 2026 00:00'],
    ['Europe/Berlin', 'day', '2026-06-30T21:59:59Z', 'Tue Jun 30 2026 00:00', 'Wed Jul 01 2026 00:00'],
    ['Europe/Berlin', 'week', '2026-11-22T12:00:00Z', 'Mon Nov 16 2026 00:00', 'Mon Nov 23 2026 00:00'],
    ['Europe/Berlin', 'week', '2026-11-22T23:00:00Z', 'Mon Nov 23 2026 00:00', 'Mon Nov 30 2026 00:00'],
    ['America/New_York', 'month', '2028-02-29T12:00:00Z', 'Tue Feb 01 2028 00:00', 'Wed Mar 01 2028 00:00'],
    ['America/New_York', 'month', '2027-01-31T12:00:00Z', 'Fri Jan 01 2027 00:00', 'Mon Feb 01 2027 00:00'],
    ['America/New_York', 'month', '2027-01-01T04:59:59Z', 'Tue Dec 01 2026 00:00', 'Fri Jan 01 2027 00:00'],
    ['Pacific/Apia', 'week', '2026-12-31T12:00:00Z', 'Mon Dec 28 2026 00:00', 'Mon Jan 04 2027 00:00'],
  ])('a period is in local time: in %s, a %s contains %s', (timeZone, period, now, start, end) => {
    process.env.TZ = timeZone;
    const found = periodOf(period, utc(now));
    expect([local(found.start), local(found.end)]).toEqual([start, end]);
  });

  test('a period is an hour shorter or longer when clocks change, and still ends at midnight', () => {
    process.env.TZ = 'Europe/Berlin';
    const length = (period: Period, now: string) => {
      const { start, end } = periodOf(period, utc(now));
      return (end - start) / HOUR;
    };
    expect(length('day', '2026-03-29T00:30:00Z')).toBe(23);
    expect(length('day', '2026-10-25T00:30:00Z')).toBe(25);
    expect(length('week', '2026-03-29T12:00:00Z')).toBe(7 * 24 - 1);
    expect(length('month', '2026-10-10T12:00:00Z')).toBe(31 * 24 + 1);
  });

  test('a period starts with the day if clocks skip midnight', () => {
    process.env.TZ = 'Africa/Cairo'; // Friday, 24 April 2026 begins at 01:00
    const { start, end } = periodOf('day', utc('2026-04-24T12:00:00Z'));
    expect([local(start), local(end)]).toEqual(['Fri Apr 24 2026 01:00', 'Sat Apr 25 2026 00:00']);
  });

  test.each([
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Sao_Paulo',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Cairo',
    'Pacific/Apia',
  ])('a period in %s contains its moment, and the next one starts where it ends', (timeZone) => {
    process.env.TZ = timeZone;
    fc.assert(
      fc.property(
        fc.integer({ min: utc('2020-01-01'), max: utc('2040-01-01') }),
        fc.constantFrom(...PERIODS),
        (now, period) => {
          const { start, end } = periodOf(period, now);
          expect(start <= now && now < end).toBe(true);
          expect(periodOf(period, start)).toEqual({ start, end });
          expect(periodOf(period, end - 1)).toEqual({ start, end });
          expect(periodOf(period, end).start).toBe(end);
        },
      ),
    );
  });
});

const NOW = utc('2026-11-18T12:00:00Z');
const made = (more: Partial<Allowance> = {}): Allowance => ({
  ...newAllowance(
    ['https://shop.example', '', 'swipe'],
    { currency: 'USD', limit: 100n, perPayment: null, period: 'day' },
    'id',
    NOW,
  ),
  ...more,
});

const cost = (units: bigint) => ({ units, satoshis: units * 2n });

describe('an allowance', () => {
  test('an allowance starts a new period at the announced time, not earlier, with nothing spent', () => {
    const allowance = debited(made(), cost(60n), NOW);
    expect(at(allowance, allowance.resetsAt - 1)).toBe(allowance);
    const next = at(allowance, allowance.resetsAt);
    expect(next).toMatchObject({
      spent: 0n,
      spentSatoshis: 0n,
      totalSpent: 60n,
      payments: 1,
      periodStart: allowance.resetsAt,
    });
    expect(leftOf(next)).toBe(100n);
  });

  test('an allowance that was unused for a long time moves to the current period', () => {
    const later = NOW + 40 * 24 * HOUR;
    const { start, end } = periodOf('day', later);
    expect(at(debited(made(), cost(60n), NOW), later)).toMatchObject({ spent: 0n, periodStart: start, resetsAt: end });
  });

  test('an allowance isn’t renewed because the clock went back or the user traveled', () => {
    process.env.TZ = 'Europe/Berlin';
    const allowance = debited(
      made(
        newAllowance(
          ['https://shop.example', '', 'swipe'],
          { currency: 'USD', limit: 100n, perPayment: null, period: 'day' },
          'id',
          NOW,
        ),
      ),
      cost(60n),
      NOW,
    );
    const before = NOW - 30 * 24 * HOUR;
    const { start, end } = periodOf('day', before);
    expect(at(allowance, before)).toMatchObject({ spent: 60n, spentSatoshis: 120n, periodStart: start, resetsAt: end });
    process.env.TZ = 'Asia/Tokyo'; // the next day has already begun in that time zone
    expect(at(allowance, utc('2026-11-18T16:00:00Z')).spent).toBe(60n);
  });

  test('a refund is credited to the period of its debit', () => {
    const allowance = debited(debited(made(), cost(60n), NOW), cost(30n), NOW);
    expect(credited(allowance, cost(30n), allowance.periodStart)).toMatchObject({
      spent: 60n,
      spentSatoshis: 120n,
      totalSpent: 60n,
      payments: 1,
    });
    const later = debited(at(allowance, allowance.resetsAt), cost(10n), allowance.resetsAt);
    expect(credited(later, cost(30n), allowance.periodStart)).toMatchObject({
      spent: 10n,
      spentSatoshis: 20n,
      totalSpent: 70n,
      payments: 2,
    });
    expect(credited(made(), cost(30n), made().periodStart)).toMatchObject({ spent: 0n, totalSpent: 0n, payments: 0 });
  });

  test('a changed allowance keeps the spent amount, except in another kind of period', () => {
    const allowance = debited(made(), cost(60n), NOW);
    expect(withTerms(allowance, { limit: 50n, perPayment: 5n, period: 'day' }, NOW)).toMatchObject({
      spent: 60n,
      limit: 50n,
      perPayment: 5n,
      resetsAt: allowance.resetsAt,
    });
    expect(leftOf(withTerms(allowance, { limit: 50n, perPayment: null, period: 'day' }, NOW))).toBe(0n);
    // On the first of a month, the day and the month begin together, so today's spending is preserved.
    const first = new Date(2025, 5, 1, 12).getTime();
    const today = { ...allowance, periodStart: periodOf('day', first).start, resetsAt: periodOf('day', first).end };
    expect(withTerms(today, { limit: 500n, perPayment: null, period: 'month' }, first)).toMatchObject({
      spent: 60n,
      periodStart: today.periodStart,
      resetsAt: periodOf('month', first).end,
    });
    expect(withTerms(allowance, { limit: 50n, perPayment: null, period: 'month' }, NOW)).toMatchObject({
      spent: 0n,
      totalSpent: 60n,
      resetsAt: periodOf('month', NOW).end,
    });
  });
});
