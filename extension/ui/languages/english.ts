/** The English texts of the wallet. */
import { SHOWN_ERRORS } from '../../../protocol/errors/error-table.ts';
import en from './en.json' with { type: 'json' };

/** Error messages by stable code. */
const errors = Object.fromEntries(Object.entries(SHOWN_ERRORS).map(([code, { message }]) => [code, message])) as Record<
  keyof typeof SHOWN_ERRORS,
  string
>;

/** The catalog, including error messages. */
export const ENGLISH = { ...en, errors };
