/** Handles translations of the button's text. Untranslated text is shown in English. */
import { ENGLISH as FORM } from '../form/texts.ts';
import { ENGLISH as HELP } from '../help/texts.ts';
import { ENGLISH as PHONE } from '../phone/texts.ts';
import { ENGLISH, type FormTexts, type HelpTexts, type PhoneTexts, type Texts } from './texts.ts';

/** All English text, including that of parts that are loaded on demand. */
export const ALL_ENGLISH: Texts & HelpTexts & { form: FormTexts; phone: PhoneTexts } = {
  ...ENGLISH,
  ...HELP,
  errors: { ...HELP.errors, ...ENGLISH.errors },
  form: FORM,
  phone: PHONE,
};

type Partly<T> = { readonly [K in keyof T]?: NonNullable<T[K]> extends string ? string : Partly<NonNullable<T[K]>> };

export type Translation = Partly<typeof ALL_ENGLISH>;

/** Fills the gaps in a translation with English text. `npm run check` lists missing translations. */
export function withEnglish(translation: Translation): Texts {
  return complete(ALL_ENGLISH, translation) as Texts;
}

function complete(english: object, translation: object): object {
  const given = translation as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => [
      key,
      typeof text === 'string' ? (given[key] ?? text) : complete(text as object, given[key] ?? {}),
    ]),
  );
}
