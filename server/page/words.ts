/** A page's language and its texts. */
import type { Request } from 'express';
import { preferredLanguage, type SiteLanguage } from './language.ts';
import { SITE_TEXTS, type SiteTexts } from './texts.ts';

/** See {@link wordsFor}. */
export interface Words {
  language: SiteLanguage;
  texts: SiteTexts;
}

export function wordsFor({ headers }: Pick<Request, 'headers'>): Words {
  const language = preferredLanguage(headers['accept-language']);
  return { language, texts: SITE_TEXTS[language] };
}
