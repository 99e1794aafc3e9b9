/** The reference's texts: its frame in the reader's language, and descriptions of the API in English. */
import { html } from '../../page/html.ts';
import type { ReferenceTexts } from '../../page/texts.ts';

/** See {@link ReferenceTexts}. */
export interface ReferenceWords {
  texts: ReferenceTexts;
}

/** Attributes of text that is English in every language's page. */
export const IN_ENGLISH = html` lang="en" dir="ltr"`;
