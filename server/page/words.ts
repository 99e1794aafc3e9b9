/** What a page is written with: its language, and the texts in it. */
import type { Request } from 'express';
import { preferredLanguage, type SiteLanguage } from './language.ts';
import { SITE_TEXTS, type SiteTexts } from './texts.ts';

/** See {@link wordsFor}. */
export interface Words {
  language: SiteLanguage;
  texts: SiteTexts;
}

/** Those of the language that a browser prefers. */
export function wordsFor({ headers }: Pick<Request, 'headers'>): Words {
  const language = preferredLanguage(headers['accept-language']);
  return { language, texts: SITE_TEXTS[language] };
}
