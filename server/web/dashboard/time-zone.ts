/** Days in the viewer's time zone, which is in a cookie (assets/account.js). Without the cookie, UTC is used. */
import type { Request } from 'express';

const FALLBACK = 'UTC';
const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 24 * 3600_000;

/** Returns the viewer's time zone (IANA name). */
export function timeZoneOf(request: Pick<Request, 'headers'>): string {
  const [, given] = /(?:^|;\s*)time-zone=([A-Za-z0-9_+%/-]{1,60})/.exec(request.headers.cookie ?? '') ?? [];
  if (given === undefined) return FALLBACK;
  try {
    const zone = decodeURIComponent(given);
    // Accepts only names, because with arbitrary UTC offsets, days might not begin at a quarter-hour.
    if (!/^[A-Za-z]/.test(zone)) return FALLBACK;
    formatOf(zone);
    return zone;
  } catch {
    return FALLBACK;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const kept = formats.get(timeZone);
  if (kept) return kept;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  if (formats.size < 1_000) formats.set(timeZone, made);
  return made;
}

/** Returns the time zone's offset from UTC in ms, positive east of Greenwich. */
function offsetAt(ms: number, timeZone: string): number {
  const part = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const local = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second);
  return local - Math.floor(ms / 1000) * 1000;
}

export function dayAt(at: Date, timeZone: string): string {
  return new Date(at.getTime() + offsetAt(at.getTime(), timeZone)).toISOString().slice(0, 10);
}

/** Returns the start of a day: usually midnight, or later if clocks go forward at midnight. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const candidates = [midnight - DAY_MS, midnight, midnight + DAY_MS]
    .map((near) => midnight - offsetAt(near, timeZone))
    .filter((ms) => dayAt(new Date(ms), timeZone) === day);
  return new Date(Math.min(...candidates));
}

export const daysLater = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Parses a date between 2020 and 2199. Null for anything else. */
export function readDay(text: unknown): string | null {
  if (typeof text !== 'string' || !DAY.test(text) || text < '2020-01-01' || text > '2199-12-31') return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}

export const MAX_DAYS = 366;
const USUAL_DAYS = 30;

export interface Days {
  from: string;
  to: string;
  timeZone: string;
  /** The start of each day, and the end of the last one. */
  bounds: Date[];
}

/** Returns the days between the form's two dates, inclusive, or the last 30 days if they are missing or invalid. */
export function daysOf(query: Request['query'], timeZone: string, now: Date): Days {
  const to = readDay(query.to) ?? dayAt(now, timeZone);
  const earliest = daysLater(to, 1 - MAX_DAYS);
  const asked = readDay(query.from) ?? daysLater(to, 1 - USUAL_DAYS);
  const from = asked > to ? to : asked < earliest ? earliest : asked;
  const days = [];
  for (let day = from; day <= to; day = daysLater(day, 1)) days.push(day);
  return { from, to, timeZone, bounds: [...days, daysLater(to, 1)].map((day) => startOfDay(day, timeZone)) };
}
