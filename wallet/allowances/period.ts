/** The days, weeks and months of allowances, which begin at midnight local time. */

/** Lengths of time that an allowance can be for. */
export type Period = 'day' | 'week' | 'month';

/**
 * The period that contains a moment (milliseconds since 1970, as its own start and that of the next one): a day from
 * midnight, a week from Monday, a month from its first day, in the time zone of this machine. It is an hour longer or
 * shorter when clocks change. If they skip midnight, it begins with the day.
 */
export function periodOf(period: Period, now: number): { start: number; end: number } {
  const local = new Date(now);
  const [year, month, day] = [local.getFullYear(), local.getMonth(), local.getDate()];
  const midnight = (m: number, d: number) => new Date(year, m, d).getTime();
  switch (period) {
    case 'day':
      return { start: midnight(month, day), end: midnight(month, day + 1) };
    case 'week': {
      const monday = day - ((local.getDay() + 6) % 7);
      return { start: midnight(month, monday), end: midnight(month, monday + 7) };
    }
    case 'month':
      return { start: midnight(month, 1), end: midnight(month + 1, 1) };
  }
}
