/** Provides error messages in the window's language. */
import { ERRORS, type WireError } from '../../protocol/errors/service-error.ts';
import { locale } from './languages/language.ts';
import { errorTexts, texts } from './texts/texts.ts';

/**
 * Returns the message about a wrong clock. The message contains the time difference, which is taken from the
 * background's English message.
 */
function clockText(message: string): string {
  const [, count, unit] = /(\d+) (minute|hour|day)s? ahead/.exec(message) ?? [];
  if (count === undefined) return errorTexts['clock-ahead'];
  const format = new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' });
  return texts.rate.clockAhead({ time: format.format(Number(count)) });
}

/** Returns the message for an error's code, or the error's own message if it is more specific. */
export function errorText({
  code,
  message = ERRORS[code].message,
}: Pick<WireError, 'code'> & Partial<Pick<WireError, 'message'>>): string {
  if (code === 'clock-ahead') return clockText(message);
  const text: string | undefined = (errorTexts as Partial<Record<string, string>>)[code];
  return message === ERRORS[code].message && text !== undefined ? text : message;
}
