/** What the reference is written with: its frame in the reader's language, and what it says of the API in English. */
import { html } from '../../page/html.ts';
import type { ReferenceTexts } from '../../page/languages/reference/en.ts';

/** See {@link ReferenceTexts}. */
export interface ReferenceWords {
  texts: ReferenceTexts;
}

/** The attributes of what is in English whatever the page's language. */
export const IN_ENGLISH = html` lang="en" dir="ltr"`;
