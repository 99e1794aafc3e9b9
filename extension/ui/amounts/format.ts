/** Formats money, times and names for display. Intl receives decimal strings so that money stays exact. */
export { visible } from '../../../protocol/text/shown-text.ts';
import { fromSatoshis, isCurrencyCode, satoshisToBsv } from '../../../protocol/money/money.ts';
import { isolateAmount, locale } from '../languages/language.ts';
import { formatAmount, formatFiat, roundedDown, type DecimalText, type Price } from './money-text.ts';
import { texts } from '../texts/texts.ts';

export { formatAmount, formatFiat } from './money-text.ts';

export function currencyName(code: string): string {
  return code.length > 3 ? code : (new Intl.DisplayNames(locale(), { type: 'currency' }).of(code) ?? code);
}

/** Formats satoshis: `12,345 satoshis`. */
export function formatSatoshis(satoshis: bigint): string {
  return texts.satoshis({ count: satoshis });
}

/** Formats satoshis in BSV: `0.00012345 BSV`. */
function formatCoins(satoshis: bigint): string {
  return isolateAmount(
    `${new Intl.NumberFormat(locale(), { maximumFractionDigits: 8 }).format(satoshisToBsv(satoshis) as DecimalText)} BSV`,
  );
}

/** Formats an amount in the user's currency if its rate is known, otherwise in BSV. */
export function formatMoney(satoshis: bigint, rate: Price | null): string {
  if (rate === null) return formatCoins(satoshis);
  try {
    return formatFiat(satoshis, rate);
  } catch {
    // An invalid rate must not break a whole window, and BSV amounts don't need a rate.
    return formatCoins(satoshis);
  }
}

/** Formats a remaining amount as `$0.04` or `under $0.01`. Never rounds up. BSV amounts stay exact. */
export function formatLeft(amount: string, currency: string): string {
  if (currency === 'BSV' || !isCurrencyCode(currency)) return formatAmount(amount, currency);
  const { text, smallest, isLess } = roundedDown(amount, currency);
  return isLess ? texts.under({ amount: smallest }) : text;
}

/** Formats like {@link formatMoney}, but `under $0.01` below the currency's smallest unit. */
export function formatSmall(satoshis: bigint, rate: Price | null): string {
  if (rate === null || rate.currency === 'BSV' || satoshis === 0n) return formatMoney(satoshis, rate);
  try {
    const { smallest, isLess } = roundedDown(fromSatoshis(satoshis, rate.price, 12), rate.currency);
    return isLess ? texts.under({ amount: smallest }) : formatMoney(satoshis, rate);
  } catch {
    return formatMoney(satoshis, rate);
  }
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/**
 * Formats a time (milliseconds since 1970) as `5 minutes ago`. Never returns a time in the future, even if a clock is
 * ahead.
 */
export function formatAge(time: number, now: number = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - time) / 1000));
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? ['second', 1];
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  return unit === 'second' ? format.format(0, 'second') : format.format(-Math.floor(seconds / size), unit);
}

/** Formats a time: `21 Nov 2026, 05:13`. */
export function formatTime(time: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

/** Formats a time in the next few hours: `05:13`. */
export function formatTimeOfDay(time: number): string {
  return new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(time);
}

/** Formats a time in the next few weeks, with its weekday: `Mon, 23 Nov, 00:00`. */
export function formatDay(time: number): string {
  return new Intl.DateTimeFormat(locale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(time);
}

/** Formats a date: `21 Nov 2026`. */
export function formatDate(time: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(time);
}

/** Formats an integer: `12,345`. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(locale()).format(count);
}

/** Formats a size in bytes: `1.4 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000)
    return new Intl.NumberFormat(locale(), { style: 'unit', unit: 'byte', unitDisplay: 'long' }).format(bytes);
  return `${new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(bytes / 1000)} kB`;
}

/** Shortens a long name in the middle, for lists. The details show the full name. */
export function shorten(text: string): string {
  return text.length <= 22 ? text : `${text.slice(0, 10)}…${text.slice(-8)}`;
}
