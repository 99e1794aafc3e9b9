/** The texts of the pages by language. */
import type { SiteLanguage } from './language.ts';
import { texts as ar } from './languages/ar.ts';
import { texts as de } from './languages/de.ts';
import { texts as en, type SiteTexts } from './languages/en.ts';
import { texts as es } from './languages/es.ts';
import { texts as fr } from './languages/fr.ts';
import { texts as ja } from './languages/ja.ts';
import { texts as pt } from './languages/pt.ts';

export type { SiteTexts };

export const SITE_TEXTS: Readonly<Record<SiteLanguage, SiteTexts>> = { en, de, es, fr, pt, ja, ar };
