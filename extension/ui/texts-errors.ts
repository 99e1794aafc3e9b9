/** The sentences of errors, in the language of the windows. */
import { SHOWN_ERRORS } from '../../protocol/error-table.ts';
import { ERRORS, type WireError } from '../../protocol/errors.ts';
import { translatable } from './translatable.ts';

/** By stable code. */
export const errorTexts = translatable(
  'errors',
  Object.fromEntries(Object.entries(SHOWN_ERRORS).map(([code, { message }]) => [code, message])) as Record<
    keyof typeof SHOWN_ERRORS,
    string
  >,
);

/** What to show of an error: its code's sentence, or the more exact one that came with it. */
export function errorText({
  code,
  message = ERRORS[code].message,
}: Pick<WireError, 'code'> & Partial<Pick<WireError, 'message'>>): string {
  const text: string | undefined = (errorTexts as Partial<Record<string, string>>)[code];
  return message === ERRORS[code].message && text !== undefined ? text : message;
}
