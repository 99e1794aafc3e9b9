/** The sentences of errors, in the language of the windows. */
import { ERRORS, type WireError } from '../../protocol/errors/service-error.ts';
import { locale } from './languages/language.ts';
import { errorTexts, texts } from './texts/texts.ts';

/** The sentence about the clock, with the time from the background's English one. */
function clockText(message: string): string {
  const [, count, unit] = /(\d+) (minute|hour|day)s? ahead/.exec(message) ?? [];
  if (count === undefined) return errorTexts['clock-ahead'];
  const format = new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' });
  return texts.rate.clockAhead({ time: format.format(Number(count)) });
}

/** The displayed text of an error: its code's sentence, or the more specific one that came with it. */
export function errorText({
  code,
  message = ERRORS[code].message,
}: Pick<WireError, 'code'> & Partial<Pick<WireError, 'message'>>): string {
  if (code === 'clock-ahead') return clockText(message);
  const text: string | undefined = (errorTexts as Partial<Record<string, string>>)[code];
  return message === ERRORS[code].message && text !== undefined ? text : message;
}
