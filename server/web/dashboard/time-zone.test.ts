import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DAYS, dayAt, daysLater, daysOf, startOfDay, timeZoneOf } from './time-zone.ts';

const now = new Date('2026-03-31T22:30:00Z');
const given = (cookie: string) => timeZoneOf({ headers: { cookie } });
/** Includes time zones with clock changes of half an hour, at midnight, or across the date line. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

describe('days in a time zone', () => {
  it('follow one another without a gap, and begin at a quarter-hour', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 5000 }), (timeZone, later) => {
        const day = daysLater('2020-01-02', later);
        const begin = startOfDay(day, timeZone);
        expect(begin.getTime() % 900_000).toBe(0);
        expect(dayAt(begin, timeZone)).toBe(day);
        expect(dayAt(new Date(begin.getTime() - 1), timeZone)).toBe(daysLater(day, -1));
        const hours = (startOfDay(daysLater(day, 1), timeZone).getTime() - begin.getTime()) / 3_600_000;
        expect([23, 23.5, 24, 24.5, 25]).toContain(hours);
      }),
    );
  });

  it('default to the last 30 in the viewer’s zone', () => {
    expect(daysOf({}, 'Europe/Berlin', now)).toMatchObject({ from: '2026-03-03', to: '2026-04-01' });
    expect(daysOf({}, 'UTC', now)).toMatchObject({ from: '2026-03-02', to: '2026-03-31' });
    const { bounds } = daysOf({ from: '2026-03-29', to: '2026-03-29' }, 'Europe/Berlin', now);
    expect(bounds.map((bound) => bound.toISOString())).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
  });

  it('span at most a year, for any query', () => {
    for (const query of [
      { from: '2020-01-01', to: '2026-03-01' },
      { from: '2026-02-30', to: 'x' },
      { from: ['2026-01-01'], to: { a: '1' } },
      { from: '9999-99-99', to: '0000-00-00' },
      { from: '2026-03-09', to: '2026-03-01' },
    ]) {
      const { bounds, from, to } = daysOf(query as Parameters<typeof daysOf>[0], 'Asia/Kathmandu', now);
      expect(bounds.length - 1).toBeGreaterThan(0);
      expect(bounds.length - 1).toBeLessThanOrEqual(MAX_DAYS);
      expect(from <= to).toBe(true);
    }
  });

  it('use UTC for a browser without a valid zone', () => {
    expect(given('a=b; time-zone=America%2FNew_York')).toBe('America/New_York');
    for (const cookie of [
      '',
      'time-zone=',
      'time-zone=Nowhere',
      'time-zone=%2B01%3A07',
      'time-zone=%E0',
      'x-time-zone=UTC',
    ])
      expect(given(cookie), cookie).toBe('UTC');
  });
});
