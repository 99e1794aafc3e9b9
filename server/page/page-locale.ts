/** A page's language, and its text in that language. */
import type { Request } from 'express';
import type { LanguageCode } from '../../protocol/languages.ts';
import { preferredLanguage } from './language.ts';
import { SITE_TEXTS, type SiteTexts } from './texts.ts';

export interface Words {
  language: LanguageCode;
  texts: SiteTexts;
}

export function wordsFor({ headers }: Pick<Request, 'headers'>): Words {
  const language = preferredLanguage(headers['accept-language']);
  return { language, texts: SITE_TEXTS[language] };
}
