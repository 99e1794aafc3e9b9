/** The sentences of errors, in the language of the windows. */
import { ERRORS, type WireError } from '../../protocol/errors.ts';
import { translatable } from './language.ts';

/** By stable code. */
export const errorTexts = translatable('errors', { ...ERRORS });

/** What to show of an error: its code's sentence, or the more exact one that came with it. */
export function errorText({ code, message }: Pick<WireError, 'code' | 'message'>): string {
  return message === ERRORS[code] ? errorTexts[code] : message;
}
