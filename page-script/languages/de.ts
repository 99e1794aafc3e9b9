/** The texts of de.json. Written by `npm run texts`. */
import type { Texts } from '../text/texts.ts';
import { withEnglish, type Translation } from '../text/translation.ts';
import catalog from './de.json' with { type: 'json' };

/** See {@link Translation}. */
export const translation = catalog as object as Translation;

/** The whole table, for `serviceButton.provide`. */
export const texts: Texts = withEnglish(translation);
