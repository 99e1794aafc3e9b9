/** The wallet's UI strings in English. */
import { SHOWN_ERRORS } from '../../../protocol/errors/error-table.ts';
import en from './en.json' with { type: 'json' };

const errors = Object.fromEntries(Object.entries(SHOWN_ERRORS).map(([code, { message }]) => [code, message])) as Record<
  keyof typeof SHOWN_ERRORS,
  string
>;

export const ENGLISH = { ...en, errors };
