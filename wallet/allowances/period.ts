/** Allowance periods: days, weeks and months that begin at midnight local time. */
export type Period = 'day' | 'week' | 'month';

/**
 * Returns the start of the period that contains a time, and the start of the next period (milliseconds since 1970).
 * Days begin at midnight, weeks on Monday, and months on the first, in the local time zone. A daylight-saving change
 * makes a period longer or shorter. If clocks skip midnight, a period begins at the first minute of its day.
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
