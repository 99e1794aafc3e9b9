/** Error messages in the window's language. */
import { ERRORS, type WireError } from '../../protocol/errors/service-error.ts';
import { locale } from './languages/language.ts';
import { errorTexts, texts } from './texts/texts.ts';

/** Returns the message about the clock, with the time difference from the background's English message. */
function clockText(message: string): string {
  const [, count, unit] = /(\d+) (minute|hour|day)s? ahead/.exec(message) ?? [];
  if (count === undefined) return errorTexts['clock-ahead'];
  const format = new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' });
  return texts.rate.clockAhead({ time: format.format(Number(count)) });
}

/** Returns an error's message: the message for its code, or the more specific message in the error itself. */
export function errorText({
  code,
  message = ERRORS[code].message,
}: Pick<WireError, 'code'> & Partial<Pick<WireError, 'message'>>): string {
  if (code === 'clock-ahead') return clockText(message);
  const text: string | undefined = (errorTexts as Partial<Record<string, string>>)[code];
  return message === ERRORS[code].message && text !== undefined ? text : message;
}
