import { html } from '../../page/html.ts';
import type { ReferenceTexts } from '../../page/texts.ts';

export interface ReferenceWords {
  texts: ReferenceTexts;
}

/** Attributes of text that is English in every language's page. */
export const IN_ENGLISH = html` lang="en" dir="ltr"`;
